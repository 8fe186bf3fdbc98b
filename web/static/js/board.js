/* What lies on the board, what must be put there, what is asked about. Millimetres; y runs up. */

import { $, h, onChange, s } from "./dom.js";
import { decimal } from "./i18n.js";
import { Lattices, ground, nameRows, outline, token } from "./lattice.js";
import { WORDS, countWords, lookWords } from "./words.js";

export class BoardView {
  constructor() {
    this.svg = $("board");
    this.layer = $("pieces");
    this.targets = $("targets");
    this.marks = $("marks");
    this.lattices = new Lattices(this.svg);
    this.ringRadius = this.svg.viewBox.baseVal.width * 0.03;
    this.shown = new Map();
    this.looks = new Map();
    this.coloured = new Set();
    const kinds = new Set();
    for (const look of this.svg.querySelectorAll(".look")) {
      const { kind, colour } = look.dataset;
      this.looks.set(`${kind}/${colour}`, look);
      if (kinds.has(kind)) this.coloured.add(kind);
      kinds.add(kind);
    }
    this.drawGround = onChange((shown) => this.placeGround(shown));
    this.drawTargets = onChange((tasks) => this.placeTargets(tasks));
    this.drawMarks = onChange((points) => this.placeMarks(points));
    this.drawSeats = onChange((seats) => this.nameSeats(seats));
    this.drawCount = onChange((words) => {
      $("table-count").textContent = words;
      this.svg.setAttribute("aria-label", words || WORDS.empty);
    });
  }

  draw(view) {
    this.placePieces(view.pieces);
    const { scoreboard } = view;
    this.drawGround({ marks: scoreboard.marks, sides: scoreboard.sides.map(({ side, colour }) => [side, colour]) });
    this.drawTargets(scoreboard.tasks.map((task) => ({ ...task, at: task.at ?? this.lattices.at(task.place) })).filter((task) => task.at && !task.done));
    this.drawMarks(view.questions.map((ruled) => this.questionPlace(ruled, view)).filter((at) => at));
    this.drawSeats({
      sides: scoreboard.sides.map(({ side, name, seats }) => [seats.length ? seats.join("") : side, name]),
      players: view.players,
      turn: scoreboard.seat ?? scoreboard.turn,
    });
    this.drawCount(countWords(view.pieces, this.coloured));
    const note = { blind: WORDS.stillShown }[view.sight.state] ?? "";
    $("table-frame").dataset.sight = view.sight.state;
    $("table-note").textContent = note;
    $("table-note").hidden = note === "";
  }

  lookOf(kind, colour) {
    return this.looks.get(`${kind}/${colour}`) ?? $("look-unknown");
  }

  /* A look for a side of this colour: the first kind of piece that has it. */
  lookOfColour(colour) {
    for (const [name, look] of this.looks) if (name.endsWith(`/${colour}`)) return look;
    return null;
  }

  /* A small picture of a piece, for lists. */
  picture(look, className) {
    const radius = Number(look.dataset.radius) * 1.06;
    const box = `${-radius} ${-radius} ${2 * radius} ${2 * radius}`;
    return s("svg", { class: className, viewBox: box, "aria-hidden": "true" }, s("use", { href: `#${look.id}` }));
  }

  placePieces(pieces) {
    const gone = new Set(this.shown.keys());
    for (const piece of pieces) {
      gone.delete(piece.name);
      const text = JSON.stringify(piece);
      let shown = this.shown.get(piece.name);
      if (shown && shown.text === text) continue;
      if (!shown || shown.kind !== piece.kind || shown.colour !== piece.colour) {
        if (shown) shown.element.remove();
        shown = { kind: piece.kind, colour: piece.colour, element: this.newPiece(piece) };
        this.shown.set(piece.name, shown);
      }
      shown.text = text;
      const [x, y] = piece.at;
      const turn = piece.turn_deg ? ` rotate(${-piece.turn_deg}deg)` : "";
      shown.element.style.transform = `translate(${x}px, ${-y}px)${turn}`;
      shown.element.classList.toggle("is-doubtful", piece.visible < 0.5);
      shown.element.querySelector("title").textContent = titleOf(piece, x, y);
    }
    for (const name of gone) {
      this.shown.get(name).element.remove();
      this.shown.delete(name);
    }
  }

  newPiece(piece) {
    const look = this.lookOf(piece.kind, piece.colour);
    const element = s(
      "g",
      { class: "piece", "data-name": piece.name },
      s("title"),
      s("circle", { class: "piece-halo", r: Number(look.dataset.radius) * 1.3 }),
      s("use", { href: `#${look.id}` }),
    );
    this.layer.append(element);
    return element;
  }

  /* What the rules mark on the board: areas below the pieces, outlines above them. */
  placeGround({ marks, sides }) {
    const inks = new Map(sides.map(([side, colour], number) => [side, { number, look: this.lookOfColour(colour) }]));
    nameRows(this.svg, marks);
    const areas = marks.filter((mark) => mark.places.length === 1 && mark.kind !== "row");
    const tokens = areas.filter((mark) => mark.kind === "ball");
    $("tokens").replaceChildren(...tokens.map((mark) => token(mark, this.lattices)).filter(Boolean));
    const outlines = marks.filter((mark) => mark.places.length > 1);
    $("ground").replaceChildren(...areas.map((mark) => ground(mark, inks.get(mark.side), this.lattices)).filter(Boolean));
    $("outlines").replaceChildren(...outlines.map((mark) => outline(mark, inks.get(mark.side), this.lattices)).filter(Boolean));
  }

  /* Where each piece is to go, with an arrow from where it lies: no piece has its name on it. */
  placeTargets(tasks) {
    this.targets.replaceChildren(
      ...tasks.map((task) => (task.lies && !task.away ? this.way(task) : null)).filter(Boolean),
      ...tasks.map((task) => {
        const look = this.lookOf(task.kind, task.colour);
        const radius = Number(look.dataset.radius);
        const [x, y] = task.at;
        const turn = task.place.startsWith("edges:v") ? " rotate(90)" : "";
        return s(
          "g",
          { class: task.away ? "target is-away" : "target", transform: `translate(${x} ${-y})${turn}` },
          s("title", {}, task.words),
          s("circle", { class: "target-ring", r: radius * 1.5 }),
          task.away ? null : s("use", { href: `#${look.id}`, opacity: 0.45 }),
        );
      }),
    );
  }

  way(task) {
    const radius = Number(this.lookOf(task.kind, task.colour).dataset.radius);
    const [dx, dy] = [task.at[0] - task.lies[0], task.lies[1] - task.at[1]];
    const far = Math.hypot(dx, dy);
    if (far < radius) return null; // there is no room for an arrow: it nearly lies there
    const length = Math.max(far - radius, far / 2); // up to the piece as it is to lie, not under it
    const head = Math.min(radius, length / 2);
    return s(
      "path",
      {
        class: "target-way",
        transform: `translate(${task.lies[0]} ${-task.lies[1]}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`,
        d: `M0 0H${length}m${-head} ${-head * 0.7}L${length} 0l${-head} ${head * 0.7}`,
      },
    );
  }

  questionPlace(ruled, view) {
    const piece = view.pieces.find((other) => other.name === ruled.question.piece);
    return ruled.question.at ?? (piece ? piece.at : null);
  }

  placeMarks(points) {
    this.marks.replaceChildren(
      ...points.map(([x, y]) => s("circle", { class: "question-ring", cx: x, cy: -y, r: this.ringRadius })),
    );
  }

  nameSeats({ sides, players, turn }) {
    for (const label of this.svg.querySelectorAll(".seat")) {
      const seat = label.dataset.seat;
      const found = sides.find(([side]) => isOfSeats(side) && side.includes(seat));
      const isTurn = found !== undefined && turn !== null && isOfSeats(turn) && turn.includes(seat);
      label.classList.toggle("is-turn", isTurn);
      const sideName = found && found[1] !== found[0] ? found[1] : "";
      const named = players.find((player) => player.seat === seat)?.name || sideName;
      const name = found ? [seat, named].filter(Boolean).join(" · ") : "";
      label.textContent = isTurn ? `▸ ${name} ◂` : name;
    }
  }

  /* Show which pieces a ruling is about. */
  name(names) {
    for (const [name, shown] of this.shown) shown.element.classList.toggle("is-named", names.includes(name));
  }

  setLetters(on) {
    this.svg.classList.toggle("with-letters", on);
  }
}

function isOfSeats(side) {
  return typeof side === "string" && /^[SENW]+$/.test(side);
}

/* What is told of a piece where one points at it: on a lattice its look, else its name and place. */
function titleOf(piece, x, y) {
  if (piece.name.includes(":")) return lookWords(piece);
  return `${piece.name}: ${decimal(x, 1)} / ${decimal(y, 1)} mm (± ${decimal(1.96 * piece.error_mm, 2)})`;
}
