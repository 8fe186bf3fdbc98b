/* The sheet before an overrule: what it would change, why, or that the ruling is right after all. */

import { $, setText } from "./dom.js";
import { showEffects } from "./effects.js";
import { clock, confirmLabel, overruleLabel } from "./words.js";

export class OverruleSheet {
  /* `ask` says what a decision would change, `act` sends it to `path`. */
  constructor({ ask, act, path = "/decisions" }) {
    this.ask = ask;
    this.act = act;
    this.path = path;
    this.ruled = null;
    for (const button of offered()) button.addEventListener("click", () => ($("overrule-reason").value = button.textContent));
    $("overrule-form").addEventListener("submit", (event) => (event.submitter?.value === "confirm" ? this.confirm() : this.overrule()));
  }

  open = (ruled) => {
    this.ruled = ruled;
    $("overrule-reason").value = "";
    setText($("overrule-code"), `${ruled.code} · ${clock(ruled.at_ms)}`);
    setText($("overrule-words"), ruled.words);
    $("overrule-effects").replaceChildren();
    $("overrule-confirm").hidden = ruled.confirmed_by !== null || ruled.answered !== null;
    $("sheet-overrule").showModal();
    this.ask({ overrule: { ruling: ruled.id, mark: ruled.mark } })
      .then((changed) => this.ruled === ruled && showEffects($("overrule-effects"), changed))
      .catch(() => {});
  };

  confirm() {
    const ruled = this.ruled;
    this.act({
      path: this.path,
      body: { confirm: { ruling: ruled.id, mark: ruled.mark, reason: reasonGiven() } },
      label: confirmLabel(ruled.code),
      about: `confirm ${ruled.id}`,
      undoes: "withdraw",
    });
  }

  overrule() {
    const ruled = this.ruled;
    this.act({
      path: this.path,
      body: { overrule: { ruling: ruled.id, mark: ruled.mark, reason: reasonGiven() } },
      label: overruleLabel(ruled.code),
      about: `overrule ${ruled.id}`,
      undoes: "withdraw",
    });
  }
}

function offered() {
  return [...$("overrule-reasons").querySelectorAll("[data-reason]")];
}

/* The reason as the log keeps it: one that the page offers is kept without its language. */
function reasonGiven() {
  const words = $("overrule-reason").value.trim();
  return offered().find((button) => button.textContent === words)?.dataset.reason ?? words;
}
