/* A lattice on the page: where its places are, and what the rules mark on them. */

import { s } from "./dom.js";

const STROKES = ["none", "7 3", "1.5 3", "9 2 2 2"]; // a side is told by its colour, its letter and its line

export class Lattices {
  constructor(svg) {
    this.known = new Map();
    for (const { dataset } of svg.querySelectorAll(".lattice")) {
      const [pitchX, pitchY] = dataset.pitch.split(" ").map(Number);
      const [x, y] = dataset.origin.split(" ").map(Number);
      this.known.set(dataset.lattice, { x, y, pitchX, pitchY });
    }
  }

  /* Edges lie between the dots. */
  of(kind) {
    return this.known.get(kind === "edges" ? "dots" : kind);
  }

  /* "holes:3,4", "cells:0,2", "edges:v:3,4" as [x, y] in millimetres, null where there is no such lattice. */
  at(place) {
    const [kind, ...rest] = (place ?? "").split(":");
    const [col, row] = (rest.at(-1) ?? "").split(",").map(Number);
    const lattice = this.of(kind);
    if (!lattice || !Number.isInteger(col) || !Number.isInteger(row)) return null;
    const half = { h: [0.5, 0], v: [0, 0.5] }[rest.length > 1 ? rest[0] : ""] ?? [0, 0];
    return [lattice.x + (col + half[0]) * lattice.pitchX, lattice.y + (row + half[1]) * lattice.pitchY];
  }

  size(place) {
    const lattice = this.of(place.split(":")[0]);
    return lattice ? [lattice.pitchX, lattice.pitchY] : [0, 0];
  }
}

/* What lies round a hole, or round what lies between two dots. */
function around(place, [x, y], [width, height]) {
  const size = Math.min(width, height);
  if (!place.startsWith("edges:")) return ["circle", { cx: x, cy: y, r: size * 0.34 }];
  const across = size * 0.3;
  const [wide, high] = place.startsWith("edges:v:") ? [across, height * 1.06] : [width * 1.06, across];
  return ["rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: across / 2 }];
}

/* A marked place: a cell with its owner's colour, letter and points, or a line about what is on it. */
export function ground(mark, ink, lattices) {
  const at = lattices.at(mark.places[0]);
  if (!at) return null;
  const [width, height] = lattices.size(mark.places[0]);
  const [x, y] = [at[0], -at[1]];
  const isCell = mark.places[0].startsWith("cells:");
  const size = Math.min(width, height);
  const attributes = { class: `mark mark-${mark.kind}`, "data-place": mark.places[0], "data-side": mark.side };
  const title = s("title", {}, mark.words);
  if (!isCell) {
    const [shape, form] = around(mark.places[0], [x, y], [width, height]);
    const ring = s(shape, { class: "mark-ring", ...form, stroke: fillOf(ink) });
    const casing = s(shape, { class: "mark-casing", ...form, stroke: casingOf(ink) });
    return s("g", attributes, title, casing, ring);
  }
  const inset = size * 0.09;
  const area = s("rect", {
    class: "mark-area",
    x: x - width / 2 + inset,
    y: y - height / 2 + inset,
    width: width - 2 * inset,
    height: height - 2 * inset,
    rx: size * 0.05,
    fill: ink ? fillOf(ink) : null,
    stroke: ink ? fillOf(ink) : null,
    "stroke-dasharray": ink ? STROKES[ink.number % STROKES.length] : null,
  });
  const parts = [title, area];
  if (mark.label) {
    const points = { class: "mark-label", x: x + width * 0.38, y: y - height * 0.22, "font-size": size * 0.23 };
    parts.push(s("text", { ...points, "text-anchor": "end" }, mark.label));
  }
  if (ink?.look && mark.kind === "owned") {
    const owner = { class: "mark-owner", x, y: y + height * 0.13, "font-size": size * 0.36, "text-anchor": "middle" };
    parts.push(s("text", owner, ink.look.dataset.letter)); // until a chip lies on it
  }
  return s("g", attributes, ...parts);
}

/* What is there but does not lie on the board: the ball that a piece has, at its upper right. */
export function token(mark, lattices) {
  const at = lattices.at(mark.places[0]);
  if (!at) return null;
  const [width, height] = lattices.size(mark.places[0]);
  const radius = Math.min(width, height) * 0.15;
  const [x, y] = [at[0] + width * 0.3, -at[1] - height * 0.3];
  return s(
    "g",
    { class: `token token-${mark.kind}`, transform: `translate(${x} ${y})`, "data-place": mark.places[0] },
    s("title", {}, mark.words),
    s("circle", { class: "token-body", r: radius }),
    s("path", { class: "token-seam", d: `M${-radius * 0.62} 0H${radius * 0.62}M0 ${-radius * 0.3}V${radius * 0.3}` }),
  );
}

/* A game that names its rows otherwise than 1, 2, 3 says so with marks. */
export function nameRows(svg, marks) {
  for (const mark of marks) {
    if (mark.kind !== "row") continue;
    const text = svg.querySelector(`.coordinate[data-row="${mark.places[0]}"]`);
    if (text && text.textContent !== mark.label) text.textContent = mark.label;
  }
}

/* A closed outline through places: a completed square. */
export function outline(mark, ink, lattices) {
  const corners = mark.places.map((place) => lattices.at(place));
  if (corners.some((corner) => corner === null)) return null;
  const points = corners.map(([x, y]) => `${x},${-y}`).join(" ");
  return s(
    "g",
    { class: `mark mark-${mark.kind}`, "data-side": mark.side },
    s("title", {}, mark.words),
    s("polygon", { class: "mark-casing", points, stroke: casingOf(ink) }),
    s("polygon", { class: "mark-line", points, stroke: fillOf(ink) }),
  );
}

/* What sets a line off from the board: light beside a dark colour, dark beside a light one. */
function casingOf(ink) {
  return ink?.look ? ink.look.dataset.ink : "#ffffff";
}

function fillOf(ink) {
  return ink?.look ? ink.look.dataset.fill : "#0b63d6";
}
