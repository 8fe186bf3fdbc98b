/* Keeps the findings fresh, and says so when nobody answers any more. */

import { getJson } from "./ask.js";
import { $, h, icon, onChange, setText } from "./dom.js";
import { t } from "./i18n.js";

const ICONS = { good: "check", warning: "penalty", bad: "blind" };
const LEVELS = { good: t("good"), warning: t("look at it"), bad: t("bad") };

const draw = onChange((findings) => {
  $("findings").replaceChildren(
    ...findings.map(({ level, about, words, remedy }) =>
      h(
        "li",
        { class: "finding", "data-level": level },
        icon(ICONS[level]),
        h(
          "div",
          {},
          h("p", { class: "finding-about" }, about, " ", h("span", { class: "finding-level" }, LEVELS[level])),
          h("p", {}, words),
          remedy ? h("p", { class: "finding-remedy" }, remedy) : null,
        ),
      ),
    ),
  );
});

async function refresh() {
  try {
    const { findings } = await getJson("/health.json");
    draw(findings);
    const wrong = findings.filter(({ level }) => level !== "good").length;
    setText($("health-summary"), wrong ? t("To look at: {n}", { n: wrong }) : t("All is well."));
    document.body.classList.remove("is-lost");
  } catch (error) {
    if (error.status === 403) location.replace("/join");
    setText($("health-summary"), t("Sightline does not answer: what you see is old. Look whether it is still running."));
    document.body.classList.add("is-lost");
  }
}

refresh();
setInterval(refresh, 2000);
