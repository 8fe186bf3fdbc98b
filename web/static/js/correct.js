/* Correcting what was seen: the settled board, and the facts that led to it. */

import { getJson } from "./ask.js";
import { $, h, replaceChildren, s, setText } from "./dom.js";
import { showEffects } from "./effects.js";
import { t } from "./i18n.js";
import { clock } from "./words.js";

const STEP_MM = 0.5;
const FIELDS = { piece: "names", a: "names", b: "names", pocket: "pockets", side: "seats", by: "seats", border: "seats" };
const FIELD_NAMES = { piece: t("Piece"), a: t("First piece"), b: t("Second piece"), pocket: t("Pocket"), side: t("Seat"), by: t("Seat"), border: t("Border"), place: t("Place"), kind: t("Kind"), colour: t("Colour") };
const MISSED = [
  { kind: "contacted", words: t("Two pieces touched"), fields: ["a", "b"], more: { at: [0, 0] } },
  { kind: "pocketed", words: t("A piece fell into a pocket"), fields: ["piece", "pocket"] },
  { kind: "cushioned", words: t("A piece touched the border"), fields: ["piece", "border"] },
  { kind: "left_board", words: t("A piece left the board"), fields: ["piece"] },
  { kind: "struck", words: t("A piece was struck"), fields: ["piece", "by"], more: { at: [0, 0] } },
  { kind: "removed", words: t("A piece was taken away"), fields: ["piece"] },
  { kind: "hand_entered", words: t("A hand came over the board"), fields: ["side"] },
  { kind: "filled", words: t("Something came onto a place"), fields: ["place", "kind", "colour"] },
  { kind: "emptied", words: t("A place became empty"), fields: ["place", "kind", "colour"] },
];

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
    $("correct-keep").addEventListener("click", () => this.keep());
    $("sheet-correct").addEventListener("keydown", (event) => this.key(event));
  }

  open = async (seq) => {
    this.moment = null;
    this.draft = null;
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
    const { settled } = this.moment;
    this.before = settled ? settled.pieces ?? [] : [];
    this.pieces = this.before.map((piece) => ({ ...piece }));
    this.picked = this.moment.doubts.find((doubt) => doubt.likely)?.name ?? null;
    this.tab = this.before.length ? "board" : "facts";
    this.draw();
  };

  draw() {
    const tabs = [["board", t("The board")], ["facts", t("What happened")]].filter(([key]) => key === "facts" || this.before.length);
    replaceChildren(
      $("correct-tabs"),
      tabs.map(([key, words]) =>
        h("button", { type: "button", "aria-pressed": String(key === this.tab), "data-key": `tab ${key}`, onclick: () => this.turn(key) }, words),
      ),
    );
    $("sheet-correct").classList.toggle("is-board", this.tab === "board");
    this.drawBoard();
    if (this.tab === "board") this.drawPiecePanel();
    else this.drawFacts();
    this.look();
  }

  turn(tab) {
    this.tab = tab;
    this.draft = null;
    this.pieces = this.before.map((piece) => ({ ...piece }));
    this.draw();
  }

  /* The correction as it stands, null where there is none. */
  body() {
    const reason = $("correct-reason").value.trim();
    if (this.tab === "facts") return this.draft ? { [this.draft.order]: { ...this.draft.fields, reason } } : null;
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
    for (const part of svg.querySelectorAll("defs, #targets, #marks, #pieces, #outlines, #ground")) part.remove();
    for (const part of svg.querySelectorAll("[id]")) part.removeAttribute("id");
    svg.removeAttribute("id");
    const layer = s("g", {}, ...this.pieces.map((piece) => this.pieceOnBoard(piece)));
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
      s("use", { href: `#${look.id}` }),
    );
  }

  grab(event, svg) {
    const group = event.target.closest("[data-name]");
    if (this.tab !== "board" || !group) return;
    event.preventDefault();
    this.picked = group.dataset.name;
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
    piece.at = [round(piece.at[0] + x * STEP_MM * times), round(piece.at[1] + y * STEP_MM * times)];
    this.draw();
  }

  drawPiecePanel() {
    const picked = this.pieces.find((piece) => piece.name === this.picked);
    const doubt = this.moment.doubts.find((other) => other.name === this.picked);
    replaceChildren($("correct-panel"), [
      h("p", { class: "help" }, t("Tap a piece, then what it really was; or drag it to where it lay. Doubtful ones come first.")),
      h("div", { class: "chips" }, ...this.chips()),
      picked || doubt ? this.pickedPanel(picked, doubt) : null,
      this.adder(),
    ].filter(Boolean));
  }

  chips() {
    const names = [...new Set([...this.moment.doubts.map((doubt) => doubt.name), ...this.pieces.map((piece) => piece.name)])];
    return names.map((name) => {
      const doubt = this.moment.doubts.find((other) => other.name === name);
      return h(
        "button",
        {
          type: "button",
          class: doubt?.likely ? "chip is-likely" : "chip",
          "aria-pressed": String(name === this.picked),
          "data-key": `chip ${name}`,
          onclick: () => {
            this.picked = name;
            this.draw();
          },
        },
        name,
        doubt?.likely ? h("span", { class: "sr" }, ` (${t("doubtful")})`) : null,
      );
    });
  }

  pickedPanel(picked, doubt) {
    const runners = doubt?.runners ?? [{ words: t("Nothing lay there"), piece: null }];
    return h(
      "div",
      { class: "picked" },
      h("p", { class: "picked-name" }, this.picked, doubt?.words ? h("span", { class: "help" }, ` ${t(doubt.words)}`) : null),
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
            { class: "nudges", role: "group", "aria-label": t("Move by half a millimetre") },
            ...[["←", [-1, 0], t("left")], ["↑", [0, 1], t("away")], ["↓", [0, -1], t("towards you")], ["→", [1, 0], t("right")]].map(([sign, step, words]) =>
              h("button", { type: "button", class: "button", "aria-label": words, "data-key": `nudge ${sign}`, onclick: () => this.nudge(step) }, sign),
            ),
            h("span", { class: "help" }, `${picked.at[0].toFixed(1)}, ${picked.at[1].toFixed(1)} mm`),
          )
        : null,
    );
  }

  take(runner) {
    this.pieces = this.pieces.filter((piece) => piece.name !== this.picked);
    if (runner.piece) {
      this.pieces = this.pieces.filter((piece) => piece.name !== runner.piece.name).concat({ ...runner.piece });
      this.picked = runner.piece.name;
    }
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

  // The facts

  drawFacts() {
    replaceChildren($("correct-panel"), [
      h(
        "ol",
        { class: "fact-list" },
        ...this.moment.facts.map((fact) => this.factRow(fact)),
      ),
      this.moment.facts.length ? null : h("p", { class: "help" }, t("Nothing was seen.")),
    ].filter(Boolean));
  }

  factRow(fact) {
    const chosen = this.draft && this.draft.row === fact.seq;
    const changeable = Object.keys(fact.body).some((name) => name in FIELDS);
    return h(
      "li",
      { class: chosen ? "fact is-chosen" : "fact" },
      h("p", { class: "fact-words" }, h("span", { class: "help" }, `${clock(fact.at_ms)} `), fact.words),
      h(
        "div",
        { class: "fact-tools" },
        this.factButton(t("Never happened"), fact, () => ({ order: "strike", fields: { seq: fact.seq } })),
        changeable ? this.factButton(t("It was otherwise"), fact, () => ({ order: "amend", fields: { seq: fact.seq, fact: { ...fact.body } } })) : null,
        this.factButton(t("Missed after this"), fact, () => ({ order: "insert", fields: { after: fact.seq, fact: this.missed(fact, MISSED[this.moment.pockets.length ? 0 : 7]) } })),
      ),
      chosen ? this.draftForm(fact) : null,
    );
  }

  factButton(words, fact, draft) {
    return h(
      "button",
      {
        type: "button",
        class: "button button-quiet",
        "data-key": `${words} ${fact.seq}`,
        onclick: () => {
          this.draft = { row: fact.seq, ...draft() };
          this.draw();
        },
      },
      words,
    );
  }

  missed(after, template) {
    const body = { fact: template.kind, at_ms: after.at_ms + 1, ...(template.more ?? {}) };
    for (const name of template.fields) {
      const options = this.moment[FIELDS[name]];
      body[name] = options ? options[name === "b" ? Math.min(1, options.length - 1) : 0] ?? "" : "";
    }
    return body;
  }

  draftForm(fact) {
    if (this.draft.order === "strike") return h("p", { class: "help" }, t("It is struck out; everything after it is reckoned anew."));
    const body = this.draft.fields.fact;
    const parts = [];
    if (this.draft.order === "insert") {
      const kinds = MISSED.filter((template) => template.fields.every((name) => !(name in FIELDS) || this.moment[FIELDS[name]].length));
      const select = h("select", { class: "input select", "aria-label": t("What was missed") }, ...kinds.map((template) => h("option", { value: template.kind, selected: template.kind === body.fact }, template.words)));
      select.addEventListener("change", () => {
        this.draft.fields.fact = this.missed(fact, MISSED.find((template) => template.kind === select.value));
        this.draw();
      });
      parts.push(select);
    }
    for (const name of Object.keys(body)) if (name in FIELD_NAMES && typeof body[name] === "string" && name !== "fact") parts.push(this.fieldOf(body, name));
    return h("div", { class: "fact-form" }, ...parts);
  }

  fieldOf(body, name) {
    const options = this.moment[FIELDS[name]];
    let input;
    if (options) {
      input = h("select", { class: "input select", "aria-label": FIELD_NAMES[name] }, ...[...new Set([body[name], ...options])].map((value) => h("option", { value, selected: value === body[name] }, value)));
    } else {
      input = h("input", { class: "input", "aria-label": FIELD_NAMES[name], value: body[name], maxlength: 60, autocomplete: "off" });
    }
    input.addEventListener("change", () => {
      body[name] = input.value;
      this.look();
    });
    return h("div", { class: "fact-field" }, h("span", { class: "help", "aria-hidden": "true" }, FIELD_NAMES[name]), input);
  }
}

function place(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x, -point.y];
}

function round(number) {
  return Math.round(number * 100) / 100;
}
