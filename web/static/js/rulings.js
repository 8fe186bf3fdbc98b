/* The list of rulings, newest first, by the moment they were seen. */

import { $, h, icon, setText } from "./dom.js";
import { t } from "./i18n.js";
import { thumb } from "./panels.js";
import { FILTERS, KIND, WORDS, clock, confirmLabel, correctLabel, marginWords, overruleLabel, pictureLabel } from "./words.js";

const LIGHT = ["note", "turn"]; // what there is nothing to confirm of

export class Rulings {
  constructor({ model, board, act, openClause, openPicture, openOverrule, openCorrect, loadOlder }) {
    this.openCorrect = openCorrect;
    this.model = model;
    this.act = act;
    this.board = board;
    this.openClause = openClause;
    this.openPicture = openPicture;
    this.openOverrule = openOverrule;
    this.filter = FILTERS[0];
    this.shown = new Map(); // seq -> {text, element}
    this.spokenUpTo = null;
    $("older").addEventListener("click", loadOlder);
    this.drawFilter();
  }

  draw() {
    const list = $("moments");
    const moments = this.model.moments(this.filter.shows);
    const newest = moments[0]?.seq;
    const kept = new Map();
    const elements = moments.map((moment) => {
      const text = JSON.stringify([moment, moment.seq === newest]);
      let shown = this.shown.get(moment.seq);
      if (!shown || shown.text !== text) shown = { text, element: this.moment(moment, moment.seq === newest) };
      kept.set(moment.seq, shown);
      return shown.element;
    });
    this.shown = kept;
    this.place(list, elements);
    $("rulings-empty").hidden = elements.length > 0;
    setText($("rulings-empty"), this.model.rulings.length ? WORDS.noneOfThese : WORDS.noRulings);
    $("older").hidden = this.model.skipped === 0;
  }

  /* Put the elements in order, touching only what is out of place, so that focus and scroll stay. */
  place(list, elements) {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const wanted = new Set(elements);
    for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    if (focused && !list.contains(document.activeElement)) {
      list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
  }

  moment(moment, isNewest) {
    const at = clock(moment.at_ms);
    const pictures = [...new Set(moment.rulings.flatMap((ruled) => ruled.evidence))];
    return h(
      "li",
      { class: isNewest ? "moment is-newest" : "moment" },
      h(
        "p",
        { class: "moment-head" },
        h("span", {}, at),
        isNewest ? h("span", { class: "newest" }, WORDS.newest) : null,
        h(
          "button",
          { type: "button", class: "button button-quiet moment-correct needs-referee", "data-key": `correct ${moment.seq}`, "aria-label": correctLabel(at), onclick: () => this.openCorrect(moment.seq) },
          icon("correct"),
          h("span", {}, WORDS.correct),
        ),
      ),
      h(
        "div",
        { class: "moment-pictures" },
        ...pictures.slice(0, 6).map((name) => {
          const ruled = moment.rulings.find((other) => other.evidence.includes(name));
          const button = thumb(name, () => this.openPicture(ruled, name), moment.seq);
          button.setAttribute("aria-label", pictureLabel(at));
          return button;
        }),
      ),
      ...moment.rulings.map((ruled) => this.ruling(ruled)),
    );
  }

  ruling(ruled) {
    const overruled = ruled.overruled_by !== null || ruled.standing === "overruled";
    const name = () => this.board.name(ruled.pieces);
    const unname = () => this.board.name([]);
    return h(
      "div",
      {
        class: overruled ? "ruling is-overruled" : "ruling",
        "data-kind": ruled.kind,
        "data-id": ruled.id,
        onpointerenter: name,
        onpointerleave: unname,
        onfocusin: name,
        onfocusout: unname,
      },
      h("span", { class: "ruling-kind", title: KIND[ruled.kind] }, icon(ruled.kind === "question" ? "ask" : ruled.kind)),
      h(
        "div",
        {},
        h("p", { class: "ruling-words" }, h("span", { class: "sr" }, `${KIND[ruled.kind]}: `), ruled.words),
        h(
          "div",
          { class: "ruling-meta" },
          h(
            "button",
            { type: "button", class: "code", "data-key": `${ruled.id}#`, onclick: () => this.openClause(ruled.code) },
            h("span", {}, ruled.code),
          ),
          ...this.facts(ruled).map((words) => h("span", {}, words)),
          ...this.tags(ruled, overruled).map((words) => h("span", { class: "tag" }, words)),
          ...(overruled || ruled.standing === "open" ? [] : [this.confirmButton(ruled), this.overruleButton(ruled)]),
        ),
      ),
    );
  }

  /* The referee has looked: it is right. Changes nothing, so one tap is enough; it can be undone. */
  confirmButton(ruled) {
    if (ruled.confirmed_by !== null || ruled.answered !== null || LIGHT.includes(ruled.kind)) return null;
    return h(
      "button",
      {
        type: "button",
        class: "button button-quiet needs-referee",
        "data-key": `${ruled.id}+`,
        "aria-label": confirmLabel(ruled.code),
        title: WORDS.nothing,
        onclick: () =>
          this.act({
            path: "/decisions",
            body: { confirm: { ruling: ruled.id, mark: ruled.mark } },
            label: confirmLabel(ruled.code),
            about: `confirm ${ruled.id}`,
            undoes: "withdraw",
          }),
      },
      WORDS.confirm,
    );
  }

  overruleButton(ruled) {
    return h(
      "button",
      {
        type: "button",
        class: "button button-quiet needs-referee",
        "data-key": `${ruled.id}!`,
        "aria-label": overruleLabel(ruled.code),
        onclick: () => this.openOverrule(ruled),
      },
      WORDS.overrule,
    );
  }

  facts(ruled) {
    const mm = marginWords(ruled.margin_mm, ruled.error_mm, "mm");
    const ms = marginWords(ruled.margin_ms, ruled.error_ms, "ms");
    return [mm, ms].filter(Boolean).map((words) => t("margin {words}", { words }));
  }

  tags(ruled, overruled) {
    if (overruled) return [WORDS.overruled];
    if (ruled.answered !== null) {
      const answer = ruled.question?.answers.find((other) => other.key === ruled.answered);
      return [`${WORDS.answered}: ${answer ? answer.words : ruled.answered}`];
    }
    if (ruled.standing === "open") return [WORDS.open];
    return ruled.confirmed_by !== null ? [WORDS.confirmed] : [];
  }

  /* Say new rulings once, in the order they came; nothing is said of what stood when the page opened. */
  speak() {
    let said = "";
    const rulings = this.model.rulings;
    const ids = new Set(rulings.map((ruled) => ruled.id));
    if (this.spokenUpTo !== null) {
      const fresh = rulings.filter((ruled) => !this.spokenUpTo.has(ruled.id));
      said = fresh.slice(-4).map((ruled) => ruled.words).join(" ");
      if (said) setText($("spoken"), said);
      for (const id of this.spokenUpTo) ids.add(id);
    }
    this.spokenUpTo = ids;
    return said;
  }

  drawFilter() {
    $("filter").replaceChildren(
      ...FILTERS.map((filter) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(filter === this.filter),
            "data-key": `filter ${filter.key}`,
            onclick: () => {
              this.filter = filter;
              this.drawFilter();
              this.draw();
              $("filter").querySelector('[aria-pressed="true"]').focus();
            },
          },
          filter.words,
        ),
      ),
    );
  }
}
