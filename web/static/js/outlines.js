/* What was measured, drawn over the camera's picture; and the place of a call, magnified. */

import { getJson } from "./ask.js";
import { s } from "./dom.js";
import { t } from "./i18n.js";

const known = new Map();

/* The overlay of a ruling's picture; null where there is none. Asked for once. */
export function overlayOf(ruled, name) {
  const key = `${ruled.id} ${ruled.mark} ${name}`;
  if (!known.has(key)) {
    if (known.size > 60) known.clear();
    const path = `/overlays/${encodeURIComponent(name)}?ruling=${encodeURIComponent(ruled.id)}`;
    known.set(key, getJson(path).then(({ overlay }) => overlay).catch(() => null));
  }
  return known.get(key);
}

export function drawOutlines(svg, overlay, width = 1, height = 1) {
  svg.replaceChildren(
    ...overlay.outlines.map((outline) =>
      s(outline.kind === "line" ? "polyline" : "polygon", {
        class: `outline outline-${outline.kind}${outline.named ? " is-named" : ""}`,
        points: outline.points.map(([x, y]) => `${x * width},${y * height}`).join(" "),
        "vector-effect": "non-scaling-stroke",
      }),
    ),
  );
}

/* Of a ruling's pictures the one that shows the call: in which the piece that it is about lies nearest to its place. */
export async function pictureOfCall(ruled) {
  const looks = await Promise.all(ruled.evidence.map(async (name) => ({ name, away: awayFromCall(await overlayOf(ruled, name)) })));
  return looks.reduce((best, look) => (look.away < best.away ? look : best), { name: ruled.evidence[0], away: Infinity }).name;
}

function awayFromCall(overlay) {
  if (!overlay?.focus) return Infinity;
  const named = overlay.outlines.filter((outline) => outline.named && outline.kind !== "line");
  const middles = named.map(({ points }) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length));
  return Math.min(...middles.map(([x, y]) => Math.hypot(x - overlay.focus[0], y - overlay.focus[1])));
}

/* A close look at where the call was: some 60 mm of the board. Null where the place is unknown. */
export async function magnifier(ruled, name, src) {
  const overlay = await overlayOf(ruled, name);
  if (!overlay || !overlay.focus) return null;
  const image = new Image();
  image.src = src;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  const across = Math.max(overlay.reach * width, 24);
  const down = across * 0.62;
  const [x, y] = [overlay.focus[0] * width, overlay.focus[1] * height];
  const lines = s("g", {});
  drawOutlines(lines, overlay, width, height);
  const words = t("The place of the call, 60 mm across, {words}", { words: t(overlay.words) });
  const box = `${x - across / 2} ${y - down / 2} ${across} ${down}`;
  return s("svg", { class: "magnifier", viewBox: box, role: "img", "aria-label": words }, s("title", {}, words), s("image", { href: src, width, height }), lines);
}
