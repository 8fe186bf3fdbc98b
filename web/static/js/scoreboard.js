/* The scoreboard and the overlay: the same model as the referee's page, drawn large. */

import { BoardView } from "./board.js";
import { $, h, onChange, setText } from "./dom.js";
import { t } from "./i18n.js";
import { recall } from "./memory.js";
import { Model } from "./model.js";
import { Stream } from "./stream.js";
import { titleWords } from "./words.js";

const LATEST_FOR_MS = 12000; // on the overlay a ruling stays as long as one needs to read it
const isOverlay = document.body.classList.contains("show-overlay");
const model = new Model();
const board = new BoardView();
let latestSince = -Infinity;
let latestWords = null;

const drawSides = onChange(({ sides, turn, seat }) => {
  $("sides").replaceChildren(...sides.map((side) => sideCard(side, turn, seat)));
});

function sideCard(side, turn, seat) {
  const isTurn = turn !== null && (turn === side.side || side.side.includes(turn) || (side.seats ?? []).includes(seat));
  const look = board.lookOfColour(side.colour);
  const [first, ...others] = side.items;
  return h(
    "article",
    { class: isTurn ? "show-side is-turn" : "show-side" },
    h(
      "header",
      { class: "show-head" },
      look ? board.picture(look, "show-piece") : null,
      h("h2", { class: "show-name" }, side.name || side.side),
      isTurn ? h("p", { class: "show-turn" }, "▸ ", t("To play")) : null,
    ),
    first ? h("p", { class: "show-number" }, h("span", { class: "show-value" }, first.value), " ", h("span", { class: "show-label" }, first.label)) : null,
    others.length
      ? h("dl", { class: "show-items" }, ...others.map((item) => h("div", {}, h("dt", {}, item.label), h("dd", {}, item.value))))
      : null,
  );
}

function draw() {
  const { view } = model;
  const { scoreboard } = view;
  const title = titleWords(view.title, scoreboard.sides);
  document.title = `${title} · Sightline`;
  setText($("show-title"), title);
  board.draw(view);
  drawSides({ sides: scoreboard.sides, turn: view.outcome ? null : scoreboard.turn, seat: scoreboard.seat ?? null });
  setText($("phase"), scoreboard.phase);
  setText($("headline"), view.outcome ? view.outcome.words : scoreboard.headline);
  const words = model.latest()[0]?.words ?? "";
  if (words !== latestWords) {
    if (latestWords !== null || !isOverlay) latestSince = performance.now();
    latestWords = words;
  }
  tick();
}

function tick() {
  const lost = stream.link === "lost";
  const blind = model.view?.sight.state === "blind";
  const shown = !isOverlay || performance.now() - latestSince < LATEST_FOR_MS;
  setText($("latest"), shown && latestWords ? latestWords : "");
  setText($("trouble"), lost ? t("This screen has lost Sightline: the score may be old.") : blind ? t("Sightline cannot see the table: the referee decides.") : "");
  document.body.classList.toggle("is-lost", lost);
}

const stream = new Stream({ model, onView: draw, onLink: tick, onShutOut: () => location.replace("/join") });
const key = /^[0-9a-f]{6}$/i.exec(new URLSearchParams(location.search).get("key") ?? "");
if (key) document.documentElement.style.background = `#${key[0]}`;
if (!isOverlay) document.documentElement.dataset.theme = recall("theme") ?? "dark";
board.setLetters(true);
setInterval(tick, 250);
stream.start();
