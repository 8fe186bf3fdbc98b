/* Looking at a recording again, with other settings: how far it is, and what comes out otherwise. */

import { getJson, postJson } from "./ask.js";
import { $, h, replaceChildren, setText } from "./dom.js";
import { t } from "./i18n.js";
import { clock } from "./words.js";

const ASK_EVERY_MS = 1000;
const SIGNS = { "-": t("then only"), "+": t("now only"), "~": t("otherwise now") };

export class LookAgain {
  constructor(query) {
    this.query = query;
    this.seq = null;
    this.timer = 0;
    $("again-start").addEventListener("click", () => this.start());
    $("sheet-again").addEventListener("close", () => clearTimeout(this.timer));
  }

  open = async (seq) => {
    this.seq = seq;
    setText($("again-problem"), "");
    $("again-result").replaceChildren();
    $("sheet-again").showModal();
    await this.look();
  };

  async start() {
    setText($("again-problem"), "");
    try {
      await postJson(`/review/again?${this.query}`, { seq: this.seq, table: Number($("again-table").value || 0) });
    } catch (error) {
      setText($("again-problem"), error.message);
    }
    await this.look();
  }

  /* Ask how it stands, again and again while it runs and the sheet is open. */
  async look() {
    clearTimeout(this.timer);
    let said;
    try {
      said = await getJson(`/review/again.json?${this.query}`);
    } catch (error) {
      setText($("again-problem"), error.message);
      return;
    }
    this.drawTables(said.tables);
    $("again-start").disabled = said.busy || said.tables.length === 0;
    this.draw(said.look?.seq === this.seq ? said.look : null, said);
    if (said.busy && $("sheet-again").open) this.timer = setTimeout(() => this.look(), ASK_EVERY_MS);
  }

  drawTables(tables) {
    const select = $("again-table");
    if (select.options.length === tables.length) return;
    select.replaceChildren(...tables.map((name, number) => h("option", { value: number }, name)));
  }

  draw(look, { busy, tables }) {
    const place = $("again-result");
    if (!tables.length) return replaceChildren(place, [h("p", { class: "help" }, t("The table of this match is not known any more."))]);
    if (!look) return replaceChildren(place, busy ? [h("p", { class: "help" }, t("Another second look is being taken."))] : []);
    if (look.state === "failed") return replaceChildren(place, [h("p", { class: "problem" }, look.words)]);
    if (look.state === "running") {
      const words = look.of ? t("Looking: frame {done} of {of}", { done: look.done, of: look.of }) : t("Looking …");
      return replaceChildren(place, [h("p", {}, words), h("progress", { max: look.of || 1, value: look.done, "aria-label": words })]);
    }
    return replaceChildren(place, [
      h("p", { class: "help" }, t("{n} frames, with {table}", { n: look.frames, table: look.table })),
      ...this.lines(t("What was seen"), look.facts),
      ...this.lines(t("What was ruled"), look.rulings),
    ]);
  }

  lines(title, lines) {
    if (!lines.length) return [h("p", {}, h("strong", {}, title), ": ", t("no difference"))];
    return [
      h("p", {}, h("strong", {}, title)),
      h("ul", { class: "effect-list" }, ...lines.map((line) => h("li", { class: "effect", "data-kind": line.sign === "-" ? "gone" : "fresh" }, h("span", { class: "effect-kicker" }, `${clock(line.at_ms)} ${SIGNS[line.sign] ?? ""}`), h("span", {}, line.words)))),
    ];
  }
}
