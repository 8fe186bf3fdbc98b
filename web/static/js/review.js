/* The review room: the timeline of a match, and exactly the frame one asks for. */

import { LookAgain } from "./again.js";
import { getJson, postJson } from "./ask.js";
import { BoardView } from "./board.js";
import { Correct } from "./correct.js";
import { $, closeOnBackdrop, h, icon, replaceChildren, s, setText } from "./dom.js";
import { decimal, t } from "./i18n.js";
import { effectWords } from "./effects.js";
import { drawOutlines } from "./outlines.js";
import { OverruleSheet } from "./overrule.js";
import { Taps } from "./taps.js";
import { FILTERS, KIND, WORDS, clock, confirmLabel, marginWords, overruleLabel, undoLabel } from "./words.js";

const LEAD_MS = 3000;
const AHEAD = 4;
const PAGE = 120;
const FORESEEN = 3; // decisions whose undoing is tried
const match = $("review").dataset.match;
const query = `match=${encodeURIComponent(match)}`;
const overlays = new Map();
const pictures = new Map();
let shelf = null;
let filter = FILTERS[0];
let many = PAGE;
let wanted = 0; // the frame that was asked for
let shown = -1; // the frame that is to be seen
let playing = null;
let chosen = null; // the entry whose ruling is looked at
let ruler = [];

// Frames

function stillPath(number) {
  return `/review/still.jpg?${query}&n=${number}`;
}

/* The picture of a frame, decoded; asked for once while it is near. */
function picture(number) {
  if (!pictures.has(number)) {
    const image = new Image();
    image.src = stillPath(number);
    pictures.set(number, image.decode().then(() => image, () => null));
    for (const old of pictures.keys()) {
      if (pictures.size <= 24) break;
      if (old !== number) pictures.delete(old);
    }
  }
  return pictures.get(number);
}

/* Show frame `number`: picture, outlines and label change together, or not at all. */
async function show(number) {
  if (!shelf || shelf.stills_ms.length === 0) return;
  wanted = Math.max(0, Math.min(number, shelf.stills_ms.length - 1));
  const mine = wanted;
  $("slider").value = String(mine);
  const [image, overlay] = await Promise.all([picture(mine), overlayAt(shelf.stills_ms[mine])]);
  if (mine !== wanted) return; // another frame has been asked for meanwhile
  $("still").hidden = image === null;
  if (image) $("still").src = image.src;
  await $("still").decode().catch(() => {});
  if (mine !== wanted) return;
  shown = mine;
  $("stage").dataset.shown = String(mine);
  if (image) shape(image.naturalWidth / image.naturalHeight);
  setText($("stage-note"), image ? "" : t("This frame is not kept."));
  if (overlay && image) drawOutlines($("still-overlay"), overlay);
  else $("still-overlay").replaceChildren();
  label();
}

/* Give the stage the frames' proportions: nothing below it may move once it can be tapped. */
function shape(ratio) {
  $("stage").style.setProperty("--still-ratio", String(ratio));
}

function label() {
  const at = shelf.stills_ms[shown];
  setText($("stage-time"), preciseClock(at));
  setText($("stage-frame"), t("frame {n} of {all}", { n: shown + 1, all: shelf.stills_ms.length }));
  $("slider").setAttribute("aria-valuetext", preciseClock(at));
}

/* The settled board that held at a time, as the camera saw it; null while pieces move. */
function overlayAt(at) {
  const board = lastBefore(shelf.boards, at);
  if (!board || moving(board, at)) return Promise.resolve(null);
  const [seq] = board;
  if (!overlays.has(seq)) {
    overlays.set(seq, getJson(`/review/overlay.json?${query}&seq=${seq}`).then(({ overlay }) => overlay, () => null));
  }
  return overlays.get(seq);
}

/* Outlines are true from the moment a board has come to rest until something is ruled to move. */
function moving(board, at) {
  const next = shelf.boards[shelf.boards.indexOf(board) + 1];
  return next !== undefined && at > board[1] + 400 && at > next[1] - 6000;
}

function lastBefore(boards, at) {
  let found = null;
  for (const board of boards) {
    if (board[1] > at + 1) break;
    found = board;
  }
  return found;
}

function nearest(at) {
  const times = shelf.stills_ms;
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= at + 0.5) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Playing

function play(on) {
  if (playing) clearTimeout(playing.timer);
  playing = on ? { from: shelf.stills_ms[wanted], since: performance.now(), timer: 0 } : null;
  $("play").setAttribute("aria-pressed", String(on));
  setText($("play"), on ? t("Stop") : t("Play"));
  if (on) step();
}

/* The frame that is due now; those that come too late are passed over. */
async function step() {
  const run = playing;
  if (!run) return;
  const speed = Number($("speed").value);
  const at = run.from + (performance.now() - run.since) * speed;
  const number = nearest(at);
  if (number !== shown) await show(number);
  if (run !== playing) return;
  if (number >= shelf.stills_ms.length - 1) return play(false);
  for (let ahead = 1; ahead <= AHEAD; ahead += 1) picture(Math.min(number + ahead, shelf.stills_ms.length - 1));
  const next = shelf.stills_ms[number + 1] ?? at;
  run.timer = setTimeout(step, Math.max(4, (next - run.from) / speed - (performance.now() - run.since)));
  return undefined;
}

function jump(number) {
  play(false);
  show(number);
}

/* From one ruling to the next or the last. */
/* Go to the ruling after or before the one that is looked at, or where one has left that in the
   recording, after or before what is shown. */
function toRuling(step) {
  const moments = listed();
  const here = moments.findIndex(({ seq }) => seq === chosen);
  const to = here >= 0 && isLookedAt(moments[here]) ? here + step : besidesShown(moments, step);
  if (moments[to]) choose(moments[to].seq);
}

function isLookedAt({ at_ms }) {
  return !shelf.stills_ms.length || (nearest(at_ms - LEAD_MS) <= wanted && wanted <= nearest(at_ms));
}

function besidesShown(moments, step) {
  const times = shelf.stills_ms;
  if (step > 0) return wanted === 0 ? 0 : moments.findIndex(({ at_ms }) => at_ms >= times[wanted]);
  return wanted >= times.length - 1 ? moments.length - 1 : moments.findLastIndex(({ at_ms }) => at_ms < times[wanted]);
}

function choose(seq) {
  const moment = moments().find((other) => other.seq === seq);
  if (!moment) return;
  chosen = seq;
  history.replaceState(null, "", `#e${seq}`);
  if (shelf.stills_ms.length) jump(nearest(moment.at_ms - LEAD_MS));
  const place = listed().findIndex((other) => other.seq === seq);
  if (place >= many) many = place + PAGE;
  draw();
  const list = $("moments");
  const row = list.querySelector(`[data-seq="${seq}"]`);
  if (!row) return;
  if (list.scrollHeight > list.clientHeight + 1) list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - 8;
  else row.scrollIntoView({ block: "nearest" });
}

// The timeline

function moments() {
  const found = new Map();
  for (const ruled of shelf.rulings) {
    if (!found.has(ruled.seq)) found.set(ruled.seq, { seq: ruled.seq, at_ms: ruled.at_ms, rulings: [] });
    found.get(ruled.seq).rulings.push(ruled);
  }
  return [...found.values()];
}

function listed() {
  const text = $("search").value.trim().toLowerCase();
  return moments()
    .map((moment) => ({
      ...moment,
      rulings: moment.rulings.filter((ruled) => filter.shows(ruled) && (!text || `${ruled.code} ${ruled.words}`.toLowerCase().includes(text))),
    }))
    .filter((moment) => moment.rulings.length);
}

function draw() {
  const all = listed();
  const decided = new Map(shelf.decisions.map((decision) => [decision.seq, decision.words]));
  const rows = all.slice(0, many).map((moment) => momentRow(moment, decided));
  if (all.length > many) {
    rows.push(h("li", {}, h("button", { type: "button", class: "button button-quiet button-wide", "data-key": "more", onclick: () => { many += PAGE; draw(); } }, t("Show more ({n})", { n: all.length - many }))));
  }
  replaceChildren($("moments"), rows);
  $("empty").hidden = all.length > 0;
  drawMarks(all);
}

function momentRow(moment, decided) {
  const names = [...new Set(moment.rulings.flatMap((ruled) => ruled.evidence))];
  return h(
    "li",
    { class: moment.seq === chosen ? "moment is-newest" : "moment", "data-seq": moment.seq },
    h(
      "button",
      { type: "button", class: "moment-jump", "data-key": `jump ${moment.seq}`, onclick: () => choose(moment.seq) },
      clock(moment.at_ms),
      h("span", { class: "help" }, t("entry {n}", { n: moment.seq })),
    ),
    ...moment.rulings.map((ruled) => rulingRow(ruled, decided, moment.seq === chosen && !shelf.running)),
    moment.seq === chosen && !shelf.running
      ? h("button", { type: "button", class: "button needs-referee", "data-key": `correct ${moment.seq}`, onclick: () => correct.open(moment.seq) }, icon("correct"), WORDS.correct)
      : null,
    moment.seq === chosen && shelf.stills_ms.length
      ? h("button", { type: "button", class: "button button-quiet needs-referee", "data-key": `again ${moment.seq}`, onclick: () => again.open(moment.seq) }, t("Look again"))
      : null,
    moment.seq === chosen && shelf.running
      ? h("a", { class: "button needs-referee", href: `/#correct=${moment.seq}`, "data-key": "correct" }, icon("correct"), WORDS.correct)
      : null,
    moment.seq === chosen && names.length
      ? h("div", { class: "moment-pictures" }, ...names.slice(0, 4).map((name) => h("a", { class: "thumb", href: picturePath(name), target: "_blank" }, h("img", { src: picturePath(name), alt: WORDS.pictureAlt, loading: "lazy" }))))
      : null,
  );
}

function picturePath(name) {
  return `/review/picture.jpg?${query}&name=${encodeURIComponent(name)}`;
}

/* What a referee may do with a ruling of a match that has ended. */
function verdictButtons(ruled) {
  const open = ruled.standing === "open" && ruled.answered === null;
  if (open) return (ruled.question?.answers ?? []).map((answer) => verdict(`${ruled.id}?${answer.key}`, answer.words, { reply: { ruling: ruled.id, question: ruled.question.key, answer: answer.key } }));
  const buttons = [];
  if (ruled.confirmed_by === null && ruled.answered === null) buttons.push(verdict(`${ruled.id}+`, WORDS.confirm, { confirm: { ruling: ruled.id, mark: ruled.mark } }, confirmLabel(ruled.code)));
  buttons.push(h("button", { type: "button", class: "button button-quiet needs-referee", "data-key": `${ruled.id}!`, "aria-label": overruleLabel(ruled.code), onclick: () => overrule.open(ruled) }, WORDS.overrule));
  return buttons;
}

function verdict(key, words, body, label = words) {
  return h("button", { type: "button", class: "button button-quiet needs-referee", "data-key": key, "aria-label": label, onclick: () => act({ path: decisions, body, label, about: key, undoes: "withdraw" }) }, words);
}

function rulingRow(ruled, decided, decidable) {
  const overruled = ruled.overruled_by !== null || ruled.standing === "overruled";
  const margins = [marginWords(ruled.margin_mm, ruled.error_mm, "mm"), marginWords(ruled.margin_ms, ruled.error_ms, "ms")].filter(Boolean);
  const answer = ruled.question?.answers.find((other) => other.key === ruled.answered);
  const notes = [
    ...margins.map((words) => t("margin {words}", { words })),
    ruled.standing === "open" && ruled.answered === null ? WORDS.open : null,
    answer ? `${WORDS.answered}: ${answer.words}` : null,
    ruled.confirmed_by !== null ? decided.get(ruled.confirmed_by) ?? WORDS.confirmed : null,
    overruled ? decided.get(ruled.overruled_by) ?? WORDS.overruled : null,
  ].filter(Boolean);
  return h(
    "div",
    { class: overruled ? "ruling is-overruled" : "ruling", "data-kind": ruled.kind },
    h("span", { class: "ruling-kind", title: KIND[ruled.kind] }, icon(ruled.kind === "question" ? "ask" : ruled.kind)),
    h(
      "div",
      {},
      h("p", { class: "ruling-words" }, h("span", { class: "sr" }, `${KIND[ruled.kind]}: `), ruled.words),
      h("p", { class: "help" }, [ruled.code, ...notes].join(" · ")),
      decidable && !overruled ? h("div", { class: "verdicts" }, ...verdictButtons(ruled)) : null,
    ),
  );
}

function drawMarks(all) {
  const times = shelf.stills_ms;
  if (!times.length) return;
  $("timeline-marks").replaceChildren(
    ...all.map((moment) => {
      const x = (1000 * nearest(moment.at_ms)) / Math.max(1, times.length - 1);
      const weight = moment.rulings.some((ruled) => ["foul", "penalty", "refused"].includes(ruled.kind)) ? "foul" : moment.rulings.some((ruled) => ruled.question) ? "ask" : "plain";
      return s("rect", { class: `mark mark-${weight}`, x: x - 1.5, width: 3, y: 0, height: 10 });
    }),
  );
}

function drawFilter() {
  replaceChildren(
    $("filter"),
    FILTERS.map((each) =>
      h("button", { type: "button", "aria-pressed": String(each === filter), "data-key": `filter ${each.key}`, onclick: () => { filter = each; many = PAGE; drawFilter(); draw(); } }, each.words),
    ),
  );
}

/* What was ruled otherwise at the time than the rules say now. */
function drawChanged() {
  if (!shelf.changed.length) return $("changed").replaceChildren();
  return $("changed").replaceChildren(
    h(
      "details",
      { class: "changed" },
      h("summary", {}, t("Ruled otherwise then than now: {n}", { n: shelf.changed.length })),
      ...shelf.changed.slice(0, 50).map((each) =>
        h(
          "div",
          { class: "changed-row" },
          h("button", { type: "button", class: "moment-jump", onclick: () => choose(each.seq) }, clock(each.at_ms), h("span", { class: "help" }, t("entry {n}", { n: each.seq }))),
          h("div", { class: "then-now" }, h("div", {}, h("p", { class: "panel-title" }, t("Then")), ...each.then.map((words) => h("p", {}, words))), h("div", {}, h("p", { class: "panel-title" }, t("Now")), ...each.now.map((words) => h("p", {}, words)))),
        ),
      ),
    ),
  );
}

// Measuring

function setMeasuring(on) {
  $("measure").setAttribute("aria-pressed", String(on));
  $("stage").classList.toggle("is-measuring", on);
  $("plane").hidden = !on;
  ruler = [];
  drawRuler();
  setText($("measured"), on ? t("Tap two places.") : "");
}

async function mark(event) {
  if ($("measure").getAttribute("aria-pressed") !== "true") return;
  const box = $("still").getBoundingClientRect();
  const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((value) => Math.min(1, Math.max(0, value)));
  ruler = ruler.length >= 2 ? [at] : [...ruler, at];
  drawRuler();
  await readRuler();
}

async function readRuler() {
  if (ruler.length < 2) return setText($("measured"), t("Tap two places."));
  const [[x1, y1], [x2, y2]] = ruler;
  try {
    const { mm } = await getJson(`/review/measure.json?${query}&x1=${x1}&y1=${y1}&x2=${x2}&y2=${y2}&z=${$("plane").value}`);
    return setText($("measured"), mm === null ? t("This table’s camera is not known any more.") : `${decimal(mm, 1)} mm`);
  } catch (error) {
    return setText($("measured"), error.message);
  }
}

function drawRuler() {
  const parts = ruler.map(([x, y]) => s("circle", { class: "ruler-dot", cx: x, cy: y, r: 0.004 }));
  if (ruler.length === 2) parts.push(s("line", { class: "ruler-line", x1: ruler[0][0], y1: ruler[0][1], x2: ruler[1][0], y2: ruler[1][1], "vector-effect": "non-scaling-stroke" }));
  $("ruler").replaceChildren(...parts);
}

function preciseClock(ms) {
  return `${clock(ms)}.${String(Math.floor(Math.max(0, ms) % 1000)).padStart(3, "0")}`;
}

function key(event) {
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "range") return;
  const second = () => Math.round(1000 / Math.max(1, (shelf.stills_ms.at(-1) - shelf.stills_ms[0]) / Math.max(1, shelf.stills_ms.length - 1)));
  const moves = {
    ArrowLeft: () => jump(wanted - (event.shiftKey ? second() : 1)),
    ArrowRight: () => jump(wanted + (event.shiftKey ? second() : 1)),
    " ": () => event.target.tagName !== "BUTTON" && play(!playing),
    n: () => toRuling(1),
    p: () => toRuling(-1),
  };
  const move = moves[event.key];
  if (!move || !shelf || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key !== " " || event.target.tagName !== "BUTTON") event.preventDefault();
  move();
}

// Deciding on a match that has ended

const decisions = `/review/decisions?${query}`;
const board = new BoardView();
const ask = (body) => postJson(`/review/previews?${query}`, { ...body, key: "preview-only", seen: shelf.seq }).then(({ changed }) => changed);
const taps = new Taps({
  tray: $("tray"),
  model: {
    get version() {
      return shelf.seq;
    },
    view: null,
  },
  onStale: reload,
  onDone: reload,
  isLost: () => false,
  undo: (seq, label) => withdraw(seq, undoLabel(label)),
});
const act = (tap) => taps.send(tap);
const overrule = new OverruleSheet({ ask, act, path: decisions });
const again = new LookAgain(query);
const correct = new Correct({ board, ask, act, path: decisions, momentPath: (seq) => `/review/moment.json?${query}&seq=${seq}` });

function withdraw(seq, label) {
  act({ path: decisions, body: { withdraw: { seq } }, label, about: `undo ${seq}` });
}

/* The match has been decided on: show what stands now. */
async function reload() {
  shelf = await getJson(`/review/match.json?${query}`).catch(() => shelf);
  overlays.clear();
  drawAll();
  if (shelf.stills_ms.length) show(wanted);
}

function drawAll() {
  drawFilter();
  drawUndo();
  drawChanged();
  draw();
  foresee();
}

function drawUndo() {
  $("undo").hidden = shelf.undoable.length === 0;
  replaceChildren(
    $("undo-list"),
    [...shelf.undoable].reverse().map(({ seq, words }, nth) => {
      const review = shelf.to_review.includes(seq);
      const foreseen = nth < FORESEEN && mayForesee();
      return h(
        "li",
        { class: review ? "undo-row to-review" : "undo-row" },
        h("p", { class: foreseen ? "undo-words is-foreseen" : "undo-words" }, words, review ? h("span", { class: "undo-why" }, WORDS.noLongerFits) : null, foreseen ? h("span", { class: "undo-why", "data-undoes": seq }) : null),
        shelf.running ? null : h("button", { type: "button", class: "button needs-referee", "data-key": `undo ${seq}`, "aria-label": undoLabel(words), onclick: () => withdraw(seq, undoLabel(words)) }, icon("undo"), WORDS.undo),
      );
    }),
  );
}

function mayForesee() {
  return !shelf.running && ["referee", "owner"].includes(document.body.dataset.role);
}

/* Say what undoing the newest decisions would change. */
async function foresee() {
  const now = shelf;
  for (const place of document.querySelectorAll("[data-undoes]")) {
    const changed = await ask({ withdraw: { seq: Number(place.dataset.undoes) } }).catch(() => null);
    if (shelf !== now) return;
    const words = changed ? effectWords(changed) : "";
    if (words) setText(place, `${t("Undone:")} ${words}`);
  }
}

/* True when the match is there; else the page says what is wrong. */
async function start() {
  try {
    shelf = await getJson(`/review/match.json?${query}`);
  } catch (error) {
    setText($("stage-note"), error.message);
    return false;
  }
  $("slider").max = String(Math.max(0, shelf.stills_ms.length - 1));
  const heights = [0, ...shelf.thicknesses.filter((z) => z > 0)];
  $("plane").replaceChildren(...heights.map((z) => h("option", { value: z }, z === 0 ? t("on the surface") : t("{z} mm above it (tops)", { z }))));
  drawAll();
  if (!shelf.stills_ms.length) {
    setText($("stage-note"), t("Of this match no video is kept; the pictures of its rulings are."));
    $("still").hidden = true;
  }
  if (!chooseLinked()) show(0);
  return true;
}

/* Choose the entry that the address names, if it names one. */
function chooseLinked() {
  const linked = /^#e(\d+)$/.exec(location.hash);
  if (linked) choose(Number(linked[1]));
  return linked !== null;
}

if ($("stage").dataset.ratio) shape($("stage").dataset.ratio);

/* What is done once the match is there: a tap that comes before it waits. */
const opened = start();
const onceOpen = (act) => (event) => opened.then((there) => there && act(event));

closeOnBackdrop();
$("slider").addEventListener("input", onceOpen(() => jump(Number($("slider").value))));
$("back").addEventListener("click", onceOpen(() => jump(wanted - 1)));
$("forward").addEventListener("click", onceOpen(() => jump(wanted + 1)));
$("previous").addEventListener("click", onceOpen(() => toRuling(-1)));
$("next").addEventListener("click", onceOpen(() => toRuling(1)));
$("play").addEventListener("click", onceOpen(() => shelf.stills_ms.length && play(!playing)));
$("speed").addEventListener("change", () => playing && play(true));
$("outlines-on").addEventListener("click", () => {
  const on = $("outlines-on").getAttribute("aria-pressed") !== "true";
  $("outlines-on").setAttribute("aria-pressed", String(on));
  $("still-overlay").classList.toggle("is-off", !on);
});
$("measure").addEventListener("click", () => setMeasuring($("measure").getAttribute("aria-pressed") !== "true"));
$("plane").addEventListener("change", readRuler);
$("stage").addEventListener("pointerdown", mark);
$("search").addEventListener("input", onceOpen(() => { many = PAGE; draw(); }));
document.addEventListener("keydown", key);
addEventListener("hashchange", onceOpen(chooseLinked));
