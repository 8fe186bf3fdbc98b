/* Putting right what was seen on a lattice: pieces go from place to place, and one change says it all. */

/* The correction that makes `before` into `pieces`: the entry's own change, put right; null where nothing differs.
   A piece keeps its `name` here, wherever it is put. */
export function correctionOf({ seq, fact }, before, pieces) {
  const parts = (fact.fact === "batch" ? fact.facts : [fact]).map((part) => ({ ...part }));
  const told = (kind, piece) => parts.findIndex((part) => part.fact === kind && part.place === piece.place && part.kind === piece.kind && part.colour === piece.colour);
  const part = (kind, { place, kind: of, colour }) => ({ fact: kind, at_ms: fact.at_ms, place, kind: of, colour });
  let same = true;
  for (const was of before) {
    const now = pieces.find((other) => other.name === was.name);
    if (now && now.place === was.place && now.kind === was.kind && now.colour === was.colour) continue;
    same = false;
    const came = told("filled", was);
    if (came >= 0 && now) parts[came] = { ...parts[came], ...part("filled", now) };
    else if (came >= 0) parts.splice(came, 1);
    else parts.push(part("emptied", was), ...(now ? [part("filled", now)] : []));
  }
  for (const now of pieces.filter((other) => !before.some((was) => was.name === other.name))) {
    same = false;
    const went = told("emptied", now);
    if (went >= 0) parts.splice(went, 1);
    else parts.push(part("filled", now));
  }
  if (same) return null;
  if (parts.length === 0) return { strike: { seq } };
  if (parts.length === 1) return { amend: { seq, fact: { ...parts[0], at_ms: fact.at_ms } } };
  return { amend: { seq, fact: { fact: "batch", at_ms: fact.at_ms, facts: parts, ordered: true } } };
}

const layerOf = (place) => place.split(":")[0];

/* The place nearest to [x, y] (mm), on the layer of `like` where that is given. */
export function nearestPlace(lattices, names, [x, y], like = null) {
  let [found, least] = [null, Infinity];
  for (const place of Object.keys(names)) {
    if (like && layerOf(place) !== layerOf(like)) continue;
    const [px, py] = lattices.at(place);
    const away = Math.hypot(px - x, py - y);
    if (away < least) [found, least] = [place, away];
  }
  return found;
}

/* The place one step to the right (x) or away (y); itself at the edge. */
export function nextPlace(names, place, [x, y]) {
  const head = place.slice(0, place.lastIndexOf(":") + 1);
  const [col, row] = place.slice(head.length).split(",").map(Number);
  const next = `${head}${col + x},${row + y}`;
  return next in names ? next : place;
}

export function putOn(piece, place, lattices) {
  piece.place = place;
  piece.at = lattices.at(place);
}

export function looksFor(looks, place) {
  return looks.filter((look) => look.layer === layerOf(place));
}
