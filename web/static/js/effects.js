/* What a decision changes: asked of Sightline before the tap, told after it. */

import { postJson } from "./ask.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { WORDS } from "./words.js";

/* What `body`, sent to `path`, would change now: null where nobody can say. Errors carry words. */
export async function preview(model, path, body) {
  const envelope = { key: "preview-only", seen: model.version, ...(model.view ? { boot: model.view.boot } : {}) };
  const { changed } = await postJson(`/previews${path}`, { ...body, ...envelope });
  return changed;
}

/* The changes as short lines, the weightiest first. */
export function effectLines(changed) {
  if (!changed) return [];
  const lines = changed.items.map((item) => ({ kind: "score", name: item.name, label: item.label, before: item.before || "–", after: item.after || "–" }));
  if (changed.outcome_before !== changed.outcome_after) {
    lines.push({ kind: "outcome", words: changed.outcome_after || t("The match goes on.") });
  } else if (changed.headline_before !== changed.headline_after && !changed.outcome_after) {
    lines.push({ kind: "turn", words: changed.headline_after });
  }
  for (const words of changed.fresh) lines.push({ kind: "fresh", words });
  for (const words of changed.gone) lines.push({ kind: "gone", words });
  for (const words of changed.to_review) lines.push({ kind: "review", words });
  return lines;
}

const KICKERS = {
  turn: t("Then"),
  outcome: t("Result"),
  fresh: t("Ruled anew"),
  gone: t("No longer ruled"),
  review: t("To review"),
};

export function effectRow(line) {
  if (line.kind === "score") {
    return h(
      "li",
      { class: "effect", "data-kind": "score" },
      h("span", { class: "effect-kicker" }, line.name),
      h("span", {}, `${line.label} `, h("s", {}, line.before), " → ", h("strong", {}, line.after)),
    );
  }
  return h("li", { class: "effect", "data-kind": line.kind }, h("span", { class: "effect-kicker" }, KICKERS[line.kind]), h("span", {}, line.words));
}

/* Show in `place` what `changed` says; `most` lines at most. */
export function showEffects(place, changed, { title = t("This changes:"), most = 9 } = {}) {
  const lines = effectLines(changed);
  if (changed === null) return place.replaceChildren();
  if (lines.length === 0) return place.replaceChildren(h("p", { class: "effects-title" }, WORDS.nothing));
  return place.replaceChildren(
    h("p", { class: "effects-title" }, title),
    h("ul", { class: "effect-list" }, ...lines.slice(0, most).map(effectRow)),
    lines.length > most ? h("p", { class: "help" }, t("and {n} more", { n: lines.length - most })) : "",
  );
}

/* One line for a notice: what the tap changed; rulings where neither score nor turn did, if they are `told`. */
export function effectWords(changed, { told = true } = {}) {
  const lines = effectLines(changed);
  if (changed && lines.length === 0) return WORDS.nothing;
  const weighty = lines.filter((line) => ["score", "turn", "outcome"].includes(line.kind));
  if (weighty.length === 0 && !told) return "";
  if (weighty.length === 0) return lines.slice(0, 2).map((line) => `${KICKERS[line.kind]}: ${line.words}`).join(" · ");
  return weighty
    .slice(0, 4)
    .map((line) => (line.kind === "score" ? `${line.name}: ${line.label} ${line.before} → ${line.after}` : line.words))
    .join(" · ");
}
