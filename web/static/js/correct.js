/* Correcting what was seen: the settled board, and the facts that led to it. */

import { getJson } from "./ask.js";
import { $, h, replaceChildren, s, setText } from "./dom.js";
import { showEffects } from "./effects.js";
import { FactList } from "./correct_facts.js";
import { decimal, t } from "./i18n.js";
import { lookWords } from "./words.js";
import { correctionOf, looksFor, nearestPlace, nextPlace, putOn } from "./lattice_edit.js";

const STEP_MM = 0.5;
export class Correct {
  /* `ask` says what a decision would change, `act` sends it to `path`; `momentPath` is where to ask
     what was seen around an entry. */
  constructor({ board, ask, act, path = "/decisions", momentPath = (seq) => `/moments/${seq}` }) {
    this.board = board;
    this.ask = ask;
    this.path = path;
    this.momentPath = momentPath;
    this.act = act;
    this.moment = null;
    this.timer = 0;
    this.facts = new FactList({ changed: () => this.draw(), edited: () => this.look() });
    $("correct-keep").addEventListener("click", () => this.keep());
    $("sheet-correct").addEventListener("keydown", (event) => this.key(event));
  }

  open = async (seq) => {
    this.moment = null;
    this.facts.draft = null;
    setText($("correct-problem"), "");
    $("correct-reason").value = "";
    $("correct-effects").replaceChildren();
    $("correct-panel").replaceChildren(h("p", { class: "help" }, t("Looking …")));
    $("correct-board").replaceChildren();
    $("correct-tabs").replaceChildren();
    $("sheet-correct").showModal();
    try {
      this.moment = await getJson(this.momentPath(seq));
    } catch (error) {
      $("correct-panel").replaceChildren();
      setText($("correct-problem"), error.message);
      return;
    }
    const { settled, lattice } = this.moment;
    this.lattice = lattice; // the board of a lattice, null where pieces lie freely
    this.doubts = (lattice ?? this.moment).doubts;
    this.before = lattice?.pieces ?? settled?.pieces ?? [];
    this.pieces = this.before.map((piece) => ({ ...piece }));
    this.spot = null; // the empty place of a lattice that is picked
    this.asked = seq;
    this.picked = this.doubts.find((doubt) => doubt.likely)?.name ?? null;
    this.tab = this.hasBoard() ? "board" : "facts";
    this.draw();
  };

  hasBoard() {
    return this.lattice !== null || this.before.length > 0;
  }

  draw() {
    const tabs = [["board", t("The board")], ["facts", t("What happened")]].filter(([key]) => key === "facts" || this.hasBoard());
    replaceChildren(
      $("correct-tabs"),
      tabs.map(([key, words]) =>
        h("button", { type: "button", "aria-pressed": String(key === this.tab), "data-key": `tab ${key}`, onclick: () => this.turn(key) }, words),
      ),
    );
    $("sheet-correct").classList.toggle("is-board", this.tab === "board");
    this.drawBoard();
    if (this.tab === "board") this.drawPiecePanel();
    else this.facts.draw($("correct-panel"), this.moment, this.asked);
    this.look();
  }

  turn(tab) {
    this.tab = tab;
    this.facts.draft = null;
    this.pieces = this.before.map((piece) => ({ ...piece }));
    this.draw();
  }

  /* The correction as it stands, null where there is none. */
  body() {
    const reason = $("correct-reason").value.trim();
    if (this.tab === "facts") {
      const { draft } = this.facts;
      return draft ? { [draft.order]: { ...draft.fields, reason } } : null;
    }
    if (this.lattice) {
      const correction = correctionOf(this.lattice, this.before, this.pieces);
      if (correction) Object.values(correction)[0].reason = reason;
      return correction;
    }
    if (JSON.stringify(this.pieces) === JSON.stringify(this.before)) return null;
    return { amend: { seq: this.moment.settled_seq, fact: { ...this.moment.settled, pieces: this.pieces }, reason } };
  }

  /* Ask, a moment after the last change, what the correction would change. */
  look() {
    clearTimeout(this.timer);
    const body = this.body();
    $("correct-keep").disabled = true;
    setText($("correct-problem"), "");
    if (!body) return $("correct-effects").replaceChildren();
    this.timer = setTimeout(async () => {
      try {
        const changed = await this.ask(body);
        if (JSON.stringify(body) !== JSON.stringify(this.body())) return;
        showEffects($("correct-effects"), changed);
        $("correct-keep").disabled = false;
      } catch (error) {
        $("correct-effects").replaceChildren();
        setText($("correct-problem"), error.message);
      }
    }, 200);
    return undefined;
  }

  keep() {
    const body = this.body();
    if (!body) return;
    const [order] = Object.keys(body);
    const seq = body[order].seq ?? body[order].after;
    $("sheet-correct").close();
    this.act({
      path: this.path,
      body,
      label: this.tab === "board" ? t("Correct the board") : { strike: t("Strike out"), amend: t("Put right"), insert: t("Add what was missed") }[order],
      about: `${order} ${seq}`,
      undoes: "withdraw",
    });
  }

  // The board

  drawBoard() {
    const svg = this.board.svg.cloneNode(true);
    for (const part of svg.querySelectorAll("defs, #targets, #marks, #pieces, #outlines, #ground, #tokens")) part.remove();
    for (const part of svg.querySelectorAll("[id]")) part.removeAttribute("id");
    svg.removeAttribute("id");
    const layer = s("g", {}, ...this.pieces.map((piece) => this.pieceOnBoard(piece)));
    if (this.spot) layer.append(this.ringAt(this.spot));
    svg.append(layer);
    svg.addEventListener("pointerdown", (event) => this.grab(event, svg));
    svg.setAttribute("aria-label", t("The board as it was read. Choose a piece in the list, move it with the arrow keys."));
    $("correct-board").replaceChildren(svg);
  }

  pieceOnBoard(piece) {
    const look = this.board.lookOf(piece.kind, piece.colour);
    const was = this.before.find((other) => other.name === piece.name);
    const changed = JSON.stringify(was) !== JSON.stringify(piece);
    const classes = ["edit-piece", piece.name === this.picked ? "is-picked" : "", changed ? "is-changed" : ""];
    return s(
      "g",
      { class: classes.filter(Boolean).join(" "), "data-name": piece.name, transform: `translate(${piece.at[0]} ${-piece.at[1]})` },
      s("circle", { class: "edit-halo", r: Number(look.dataset.radius) * 1.5 }),
      s("use", { href: `#${look.id}`, transform: piece.place?.startsWith("edges:v") ? "rotate(90)" : null }),
    );
  }

  ringAt(spot) {
    const [x, y] = this.board.lattices.at(spot);
    return s("g", { class: "edit-piece is-picked", transform: `translate(${x} ${-y})` }, s("circle", { class: "edit-halo", r: this.board.ringRadius * 0.6 }));
  }

  grab(event, svg) {
    const group = event.target.closest("[data-name]");
    if (this.tab !== "board") return;
    if (!group && this.lattice) this.pickPlace(nearestPlace(this.board.lattices, this.lattice.names, place(svg, event)));
    if (!group) return;
    event.preventDefault();
    this.picked = group.dataset.name;
    this.spot = null;
    const piece = this.pieces.find((other) => other.name === this.picked);
    const start = place(svg, event);
    const from = [...piece.at];
    let moved = false;
    const move = (next) => {
      const at = place(svg, next);
      if (!moved && Math.hypot(at[0] - start[0], at[1] - start[1]) < 4) return; // a tap is no move
      moved = true;
      piece.at = [round(from[0] + at[0] - start[0]), round(from[1] + at[1] - start[1])];
      group.setAttribute("transform", `translate(${piece.at[0]} ${-piece.at[1]})`);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      if (moved && this.lattice) putOn(piece, nearestPlace(this.board.lattices, this.lattice.names, piece.at, piece.place), this.board.lattices);
      this.draw();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
    addEventListener("pointercancel", end, { once: true });
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!steps || this.tab !== "board" || !this.picked || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
    event.preventDefault();
    this.nudge(steps, event.shiftKey ? 10 : 1);
  }

  nudge([x, y], times = 1) {
    const piece = this.pieces.find((other) => other.name === this.picked);
    if (!piece) return;
    if (this.lattice) putOn(piece, nextPlace(this.lattice.names, piece.place, [x, y]), this.board.lattices);
    else piece.at = [round(piece.at[0] + x * STEP_MM * times), round(piece.at[1] + y * STEP_MM * times)];
    this.draw();
  }

  drawPiecePanel() {
    const picked = this.pieces.find((piece) => piece.name === this.picked);
    const doubt = this.doubts.find((other) => other.name === this.picked);
    replaceChildren($("correct-panel"), [
      h("p", { class: "help" }, t("Tap a piece, then what it really was; or drag it to where it lay. Doubtful ones come first.")),
      h("div", { class: "chips" }, ...this.chips()),
      picked || doubt ? this.pickedPanel(picked, doubt) : null,
      this.spot ? this.spotPanel() : null,
      this.lattice ? this.pieceChooser() : null,
      this.lattice ? this.placeChooser() : this.adder(),
    ].filter(Boolean));
  }

  chips() {
    const lying = this.lattice ? [] : this.pieces.map((piece) => piece.name);
    const names = [...new Set([...this.doubts.map((doubt) => doubt.name), ...lying])];
    return names.map((name) => {
      const doubt = this.doubts.find((other) => other.name === name);
      return h(
        "button",
        {
          type: "button",
          class: doubt?.likely ? "chip is-likely" : "chip",
          "aria-pressed": String(name === this.picked),
          "data-key": `chip ${name}`,
          onclick: () => this.pick(name),
        },
        this.nameOf(name),
        doubt?.likely ? h("span", { class: "sr" }, ` (${t("doubtful")})`) : null,
      );
    });
  }

  pick(name) {
    this.picked = name;
    this.spot = null;
    this.draw();
  }

  pickPlace(spot) {
    const there = this.pieces.find((piece) => piece.place === spot);
    if (there) return this.pick(there.name);
    this.picked = null;
    this.spot = spot;
    return this.draw();
  }

  /* A piece as players call it: by its name, on a lattice by its place and its look. */
  nameOf(name) {
    const piece = [...this.pieces, ...this.before].find((other) => other.name === name);
    return this.lattice && piece ? `${this.lattice.names[piece.place]} · ${lookWords(piece)}` : name;
  }

  /* What may be put onto the empty place that is picked. */
  spotPanel() {
    return h(
      "div",
      { class: "picked" },
      h("p", { class: "picked-name" }, this.lattice.names[this.spot], h("span", { class: "help" }, ` ${t("Add a piece")}`)),
      h(
        "div",
        { class: "runners" },
        ...looksFor(this.lattice.looks, this.spot).map(({ kind, colour }) =>
          h("button", { type: "button", class: "button", "data-key": `put ${kind} ${colour}`, onclick: () => this.put({ kind, colour }) }, lookWords({ kind, colour })),
        ),
      ),
    );
  }

  put(look) {
    const piece = { ...look, name: `${this.spot}+` };
    putOn(piece, this.spot, this.board.lattices);
    this.pieces = this.pieces.filter((other) => other.name !== piece.name).concat(piece);
    this.pick(piece.name);
  }

  pieceChooser() {
    const options = this.pieces.map(({ name }) => [name, this.nameOf(name)]).sort((one, other) => one[1].localeCompare(other[1], undefined, { numeric: true }));
    return this.chooser(t("Piece"), options, this.picked, (name) => this.pick(name));
  }

  placeChooser() {
    const free = Object.entries(this.lattice.names).filter(([at]) => !this.pieces.some((piece) => piece.place === at));
    return this.chooser(t("Add a piece"), free, this.spot, (at) => this.pickPlace(at));
  }

  chooser(label, options, chosen, choose) {
    const select = h("select", { class: "input select", "aria-label": label, "data-key": `choose ${label}` }, h("option", { value: "" }, `${label} …`), ...options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
    select.addEventListener("change", () => select.value && choose(select.value));
    return select;
  }

  pickedPanel(picked, doubt) {
    const runners = doubt?.runners ?? [{ words: t("Nothing lay there"), piece: null }];
    return h(
      "div",
      { class: "picked" },
      h("p", { class: "picked-name" }, this.nameOf(this.picked), doubt?.words ? h("span", { class: "help" }, ` ${t(doubt.words)}`) : null),
      h(
        "div",
        { class: "runners" },
        ...runners.map((runner, number) =>
          h("button", { type: "button", class: "button", "data-key": `runner ${number}`, onclick: () => this.take(runner) }, t(runner.words)),
        ),
      ),
      picked
        ? h(
            "div",
            { class: "nudges", role: "group", "aria-label": this.lattice ? t("Place") : t("Move by half a millimetre") },
            ...[["←", [-1, 0], t("left")], ["↑", [0, 1], t("away")], ["↓", [0, -1], t("towards you")], ["→", [1, 0], t("right")]].map(([sign, step, words]) =>
              h("button", { type: "button", class: "button", "aria-label": words, "data-key": `nudge ${sign}`, onclick: () => this.nudge(step) }, sign),
            ),
            this.lattice ? null : h("span", { class: "help" }, `${decimal(picked.at[0], 1)} / ${decimal(picked.at[1], 1)} mm`),
          )
        : null,
    );
  }

  take(runner) {
    if (this.lattice) return this.takeOnLattice(runner);
    this.pieces = this.pieces.filter((piece) => piece.name !== this.picked);
    if (runner.piece) {
      this.pieces = this.pieces.filter((piece) => piece.name !== runner.piece.name).concat({ ...runner.piece });
      this.picked = runner.piece.name;
    }
    return this.draw();
  }

  takeOnLattice({ piece: really }) {
    const picked = this.before.find((piece) => piece.name === this.picked);
    this.pieces = this.pieces.filter((piece) => piece.name !== this.picked);
    if (really) this.pieces.push({ ...picked, kind: really.kind, colour: really.colour, place: really.place, at: really.at });
    this.draw();
  }

  adder() {
    const missing = this.moment.names.filter((name) => !this.pieces.some((piece) => piece.name === name));
    if (!missing.length) return null;
    const select = h("select", { class: "input select", "aria-label": t("Add a piece"), "data-key": "adder" }, h("option", { value: "" }, t("Add a piece …")), ...missing.map((name) => h("option", { value: name }, name)));
    select.addEventListener("change", () => {
      const known = this.moment.known?.[select.value];
      if (!known) return;
      this.pieces.push({ ...known });
      this.picked = select.value;
      this.draw();
    });
    return select;
  }
}

function place(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x, -point.y];
}

function round(number) {
  return Math.round(number * 100) / 100;
}
