/* The facts that led to a board: each may be struck out, put right, or followed by one that was missed. */

import { h, replaceChildren } from "./dom.js";
import { t } from "./i18n.js";
import { clock } from "./words.js";

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

export class FactList {
  /* `changed` is called when another correction is drafted, `edited` when the draft's fields are. */
  constructor({ changed, edited }) {
    this.changed = changed;
    this.edited = edited;
    this.draft = null; // {row, order, fields}
  }

  /* The facts of `moment` in `panel`; the one about entry `asked` is marked. */
  draw(panel, moment, asked) {
    this.moment = moment;
    this.asked = asked;
    replaceChildren(panel, [
      h(
        "ol",
        { class: "fact-list" },
        ...this.moment.facts.map((fact) => this.factRow(fact)),
      ),
      this.moment.facts.length ? null : h("p", { class: "help" }, t("Nothing was seen.")),
    ].filter(Boolean));
    if (!this.draft) panel.querySelector(".is-asked")?.scrollIntoView({ block: "nearest" });
  }

  /* What a field may say, as [value, words]; null where it may say anything. */
  optionsOf(name) {
    const { lattice } = this.moment;
    if (lattice && name === "place") return Object.entries(lattice.names);
    if (lattice && (name === "kind" || name === "colour")) return [...new Set(lattice.looks.map((look) => look[name]))].map((each) => [each, t(each)]);
    return this.moment[FIELDS[name]]?.map((each) => [each, each]) ?? null;
  }

  factRow(fact) {
    const chosen = this.draft && this.draft.row === fact.seq;
    const changeable = Object.keys(fact.body).some((name) => this.optionsOf(name));
    return h(
      "li",
      { class: chosen ? "fact is-chosen" : fact.seq === this.asked ? "fact is-asked" : "fact" },
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
          this.changed();
        },
      },
      words,
    );
  }

  missed(after, template) {
    const body = { fact: template.kind, at_ms: after.at_ms + 1, ...(template.more ?? {}) };
    for (const name of template.fields) {
      const options = this.optionsOf(name);
      body[name] = options ? options[name === "b" ? Math.min(1, options.length - 1) : 0]?.[0] ?? "" : "";
    }
    return body;
  }

  draftForm(fact) {
    if (this.draft.order === "strike") return h("p", { class: "help" }, t("It is struck out; everything after it is reckoned anew."));
    const body = this.draft.fields.fact;
    const parts = [];
    if (this.draft.order === "insert") {
      const kinds = MISSED.filter((template) => template.fields.every((name) => this.optionsOf(name)?.length !== 0));
      const select = h("select", { class: "input select", "aria-label": t("What was missed") }, ...kinds.map((template) => h("option", { value: template.kind, selected: template.kind === body.fact }, template.words)));
      select.addEventListener("change", () => {
        this.draft.fields.fact = this.missed(fact, MISSED.find((template) => template.kind === select.value));
        this.changed();
      });
      parts.push(select);
    }
    for (const name of Object.keys(body)) if (name in FIELD_NAMES && typeof body[name] === "string" && name !== "fact") parts.push(this.fieldOf(body, name));
    return h("div", { class: "fact-form" }, ...parts);
  }

  fieldOf(body, name) {
    const options = this.optionsOf(name);
    let input;
    if (options) {
      const known = options.some(([value]) => value === body[name]) ? options : [[body[name], t(body[name])], ...options];
      input = h("select", { class: "input select", "aria-label": FIELD_NAMES[name] }, ...known.map(([value, words]) => h("option", { value, selected: value === body[name] }, words)));
    } else {
      input = h("input", { class: "input", "aria-label": FIELD_NAMES[name], value: body[name], maxlength: 60, autocomplete: "off" });
    }
    input.addEventListener("change", () => {
      body[name] = input.value;
      this.edited();
    });
    return h("div", { class: "fact-field" }, h("span", { class: "help", "aria-hidden": "true" }, FIELD_NAMES[name]), input);
  }
}
