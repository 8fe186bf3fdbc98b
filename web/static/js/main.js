/* Puts the page together: the model in the middle, the stream on one side, the drawing on the other. */

import { getJson } from "./ask.js";
import { BoardView } from "./board.js";
import { Correct } from "./correct.js";
import { $, setText } from "./dom.js";
import { preview } from "./effects.js";
import { Menu } from "./menu.js";
import { recall, remember } from "./memory.js";
import { Model } from "./model.js";
import { OverruleSheet } from "./overrule.js";
import { Panels } from "./panels.js";
import { Rulings } from "./rulings.js";
import { Sheets } from "./sheets.js";
import { Stream } from "./stream.js";
import { Taps } from "./taps.js";
import { LINK, SIGHT, WORDS, blindWords, lostWords, sightWords, sinceWords, timerWords, titleWords, undoLabel } from "./words.js";

const model = new Model();
const board = new BoardView();
const taps = new Taps({
  tray: $("tray"),
  model,
  onStale: (message) => stream.take(message),
  isLost: () => stream.link === "lost" || stream.link === "connecting",
  undo: (seq, label, how) =>
    act({
      path: "/decisions",
      body: how === "strike" ? { strike: { seq } } : { withdraw: { seq } },
      label: undoLabel(label),
      about: `undo ${seq}`,
    }),
});
const act = (tap) => taps.send(tap);
const ask = (body) => preview(model, "/decisions", body);
const sheets = new Sheets({ model });
const overrule = new OverruleSheet({ ask, act });
const correct = new Correct({ board, ask, act });
const panels = new Panels({
  model,
  board,
  act,
  openClause: sheets.openClause,
  openPicture: sheets.openPicture,
  openCorrect: correct.open,
});
const rulings = new Rulings({
  model,
  board,
  act,
  openClause: sheets.openClause,
  openPicture: sheets.openPicture,
  openOverrule: overrule.open,
  openCorrect: correct.open,
  loadOlder,
});
let decided = null;
const menu = new Menu();
const stream = new Stream({ model, onView: draw, onLink: showLink, onShutOut: () => location.replace("/join") });

function draw() {
  const { view } = model;
  const title = titleWords(view.title, view.scoreboard.sides);
  setText($("match-title"), title);
  setText($("warning-words"), view.warnings.join(" "));
  $("banner-warning").hidden = view.warnings.length === 0;
  document.title = `${title} · Sightline`;
  $("camera").hidden = !view.live_picture;
  board.draw(view);
  panels.draw(view, model.latest());
  rulings.draw();
  menu.speak(rulings.speak());
  tellOthersDecisions(view.undoable);
  tick();
}

/* Several devices may decide: each page hears what the others did, once. */
function tellOthersDecisions(undoable) {
  const seqs = new Set(undoable.map(({ seq }) => seq));
  if (decided) {
    for (const { seq, words } of undoable) {
      if (!decided.has(seq)) setTimeout(() => taps.mine.has(seq) || taps.tell(words), 700);
    }
  }
  decided = seqs;
}

/* What depends on the time alone: how long sight has been as it is, how long nothing was heard. */
function tick() {
  const now = performance.now();
  const lost = stream.link === "lost";
  const sight = model.view?.sight;
  const seconds = model.sightSeconds(now);
  const blind = sight?.state === "blind" && !lost;
  const state = lost ? "lost" : (sight?.state ?? "unknown");
  const stays = state === "hand" && seconds >= Number($("banner-hand").dataset.afterS);
  $("sight").dataset.state = state;
  $("sight-icon").setAttribute("href", `#i-${["lost", "blind", "hand", "still"].includes(state) ? state : "settling"}`);
  setText($("sight-name"), SIGHT[state]);
  setText($("sight-words"), sight ? sightWords(state, sight.more) : "");
  setText($("sight-since"), lost || !sight ? "" : sinceWords(seconds));
  showTimer(model.view?.scoreboard.timer, now);
  setText($("lost-alert"), lost ? WORDS.lost : "");
  setText($("blind-alert"), blind ? WORDS.blind : "");
  setText($("hand-alert"), stays ? WORDS.handStays : "");
  setText($("hand-words"), stays ? WORDS.handRemedy : "");
  setText($("lost-words"), lost ? lostWords(stream.silentMs / 1000) : "");
  setText($("blind-words"), blind ? blindWords(sight.more, seconds) : "");
  $("banner-lost").hidden = !lost;
  $("banner-blind").hidden = !blind;
  $("banner-hand").hidden = !stays;
  document.body.classList.toggle("is-lost", lost);
}

/* The time that is left in the game runs down on the page by itself. */
function showTimer(timer, now) {
  $("timer").hidden = !timer;
  if (!timer) return;
  const gone = timer.running ? Math.max(0, model.timeMs(now) - timer.at_ms) : 0;
  const left = Math.max(0, timer.left_ms - gone);
  setText($("timer"), timerWords(left, timer.running));
  $("timer").classList.toggle("is-short", left < 60_000);
}

function showLink(link, before) {
  $("link").dataset.state = link;
  setText($("link-words"), LINK[link]);
  tick();
  if (link !== "lost" && (before === "lost" || before === "connecting")) taps.resume();
}

async function loadOlder() {
  const older = await getJson(`/rulings?before=${model.skipped}`).catch(() => null);
  if (older && model.takeOlder(older)) rulings.draw();
}

function setLetters(on) {
  board.setLetters(on);
  $("letters").setAttribute("aria-pressed", String(on));
  remember("letters", on ? "on" : "off");
}

/* What this device may do can change at any moment: the owner says so. */
async function lookWhoIAm() {
  const me = await getJson("/me").catch(() => null); // Sightline may go away in the midst of its answer
  if (me) document.body.dataset.role = me.role ?? "";
}

setLetters(recall("letters") !== "off");
$("letters").addEventListener("click", () => setLetters($("letters").getAttribute("aria-pressed") !== "true"));
setInterval(tick, 250);
setInterval(lookWhoIAm, 5000);
stream.start();
sheets.loadClauses().catch(() => {});
const toCorrect = /^#correct=(\d+)$/.exec(location.hash); // the review room leads here
if (toCorrect) {
  history.replaceState(null, "", "/");
  correct.open(Number(toCorrect[1]));
}
