/* Who plays, what is asked, what is to be done, what may be said, what was decided. */

import { $, h, icon, onChange, replaceChildren, s, setText } from "./dom.js";
import { effectLines, effectWords, preview } from "./effects.js";
import { t } from "./i18n.js";
import { magnifier, pictureOfCall } from "./outlines.js";
import {
  KIND,
  SURE,
  WORDS,
  announceLabel,
  answerLabel,
  clock,
  marginWords,
  moreLabel,
  seatWords,
  sideWords,
  undoLabel,
} from "./words.js";

const SAY_AT_ONCE = 6;
const FORESEE_AFTER_MS = 500;
const FORESEE_MOST = 3;

export class Panels {
  constructor({ model, board, act, openClause, openPicture, openCorrect }) {
    this.model = model;
    this.openCorrect = openCorrect;
    this.board = board;
    this.act = act;
    this.openClause = openClause;
    this.openPicture = openPicture;
    this.sayAll = false; // whether all announcements are shown, or the first few
    this.drawLatest = onChange((latest) => this.latest(latest));
    this.drawScores = onChange(({ sides, turn }) => this.scores(sides, turn));
    this.drawAsks = onChange((questions) => this.asks(questions));
    this.drawTasks = onChange((tasks) => this.tasks(tasks));
    this.drawSay = onChange((value) => this.say(value));
    this.drawUndo = onChange((value) => this.undo(value));
    this.foresight = 0; // the timer after which effects are asked for, once all has been drawn
  }

  draw(view, latest) {
    const { scoreboard } = view;
    this.drawLatest(latest);
    setText($("phase"), view.questions.length ? WORDS.asks : scoreboard.phase);
    setText($("headline"), view.outcome ? view.outcome.words : scoreboard.headline);
    document.body.classList.toggle("is-over", view.outcome !== null);
    this.drawScores({ sides: scoreboard.sides, turn: view.outcome ? null : scoreboard.turn });
    this.drawAsks(view.questions);
    this.drawTasks(scoreboard.tasks);
    this.drawSay({ offered: scoreboard.announcements, sides: scoreboard.sides });
    this.drawUndo({ undoable: view.undoable, to_review: view.to_review });
    clearTimeout(this.foresight);
    this.foresight = setTimeout(() => this.foresee(view), FORESEE_AFTER_MS);
  }

  /* Say beside the newest decisions what undoing them would change, and beside each announcement what
     it would: asked for when nothing has happened for a moment, since every ruling changes it. */
  async foresee(view) {
    const role = document.body.dataset.role;
    const wanted = [];
    if (["referee", "owner"].includes(role)) {
      for (const place of document.querySelectorAll("[data-undoes]")) {
        wanted.push([place, "/decisions", { withdraw: { seq: Number(place.dataset.undoes) } }, t("Undone:")]);
      }
    }
    if (["scorer", "referee", "owner"].includes(role)) {
      for (const place of document.querySelectorAll("[data-says]")) {
        wanted.push([place, "/declarations", JSON.parse(place.dataset.says), ""]);
      }
    }
    for (const [place, path, body, kicker] of wanted) {
      if (this.model.view !== view || document.hidden || !place.isConnected) return;
      const changed = await preview(this.model, path, body).catch(() => null);
      const words = changed ? effectWords(changed, { told: path === "/decisions" }) : "";
      if (this.model.view === view) setText(place, words && words !== WORDS.nothing ? `${kicker} ${words}`.trim() : "");
    }
  }

  latest([ruled, ...others]) {
    const section = $("latest");
    section.hidden = ruled === undefined;
    if (!ruled) return;
    section.dataset.kind = ruled.kind;
    section.replaceChildren(
      h("span", { class: "ruling-kind", title: KIND[ruled.kind] }, icon(ruled.kind === "question" ? "ask" : ruled.kind)),
      h(
        "div",
        {},
        h("p", { class: "latest-words" }, ruled.words),
        h(
          "p",
          { class: "latest-more" },
          [clock(ruled.at_ms), others.map((other) => other.words).join(" ")].filter(Boolean).join(" · "),
        ),
      ),
    );
  }

  scores(sides, turn) {
    const cards = sides.map((side) => {
      const isTurn = turn !== null && (turn === side.side || isSeatOf(turn, side.side));
      const look = this.board.lookOfColour(side.colour);
      return h(
        "div",
        { class: isTurn ? "score is-turn" : "score", "data-side": side.side },
        h(
          "div",
          { class: "score-head" },
          look ? this.board.picture(look, "score-piece") : h("span", {}),
          h(
            "div",
            {},
            h("p", { class: "score-name" }, side.name || side.side),
            h(
              "p",
              { class: isTurn ? "score-side score-turn" : "score-side" },
              isTurn ? `▸ ${WORDS.toPlay}${turn !== side.side ? ` (${turn})` : ""}` : sideWithColour(side),
            ),
          ),
        ),
        h(
          "dl",
          { class: "score-items" },
          ...side.items.map((item) =>
            h("div", { class: "score-item" }, h("dt", {}, item.label), h("dd", {}, item.value)),
          ),
        ),
      );
    });
    $("scores").replaceChildren(...cards);
  }

  asks(questions) {
    replaceChildren(
      $("asks"),
      questions.map((ruled) => {
        const { question } = ruled;
        return h(
          "article",
          { class: "ask", "data-id": ruled.id },
          h(
            "p",
            { class: "ask-kicker" },
            icon("ask"),
            ruled.margin_mm === null && ruled.margin_ms === null ? WORDS.asks : WORDS.tooClose,
            this.codeButton(ruled),
          ),
          h("h3", { class: "ask-words" }, question.words),
          h(
            "div",
            { class: "ask-facts" },
            ruled.evidence.length ? this.closeLook(ruled) : null,
            gauge(ruled),
          ),
          h(
            "div",
            { class: "answers" },
            ...question.answers.map((answer) =>
              h(
                "button",
                {
                  type: "button",
                  class: "answer",
                  "data-key": `${ruled.id}?${answer.key}`,
                  onclick: () =>
                    this.act({
                      path: "/decisions",
                      body: { reply: { ruling: ruled.id, question: question.key, answer: answer.key } },
                      label: answerLabel(answer.words),
                      about: `question ${ruled.id}`,
                      undoes: "withdraw",
                    }),
                },
                h("span", { class: "answer-words" }, answer.words),
                h("span", { class: "answer-then" }, answer.consequence),
                this.answerEffects(ruled, answer),
              ),
            ),
          ),
          h(
            "button",
            { type: "button", class: "button button-quiet needs-referee", "data-key": `${ruled.id}~`, onclick: () => this.openCorrect(ruled.seq) },
            icon("correct"),
            WORDS.correct,
          ),
        );
      }),
    );
  }

  /* What an answer would change, filled in when Sightline has said so. */
  answerEffects(ruled, answer) {
    const place = h("span", { class: "answer-effects" });
    const body = { reply: { ruling: ruled.id, question: ruled.question.key, answer: answer.key } };
    if (["referee", "owner"].includes(document.body.dataset.role)) {
      preview(this.model, "/decisions", body)
        .then((changed) => place.replaceChildren(...effectLines(changed).filter((line) => line.kind === "score" || line.kind === "turn" || line.kind === "outcome").slice(0, 4).map((line) => asSpan(line))))
        .catch(() => {});
    }
    return place;
  }

  /* The picture, small; the place of the call magnified instead, as soon as it is known. */
  closeLook(ruled) {
    let [picture] = ruled.evidence;
    const button = thumb(picture, () => this.openPicture(ruled, picture), ruled.id);
    pictureOfCall(ruled)
      .then((name) => {
        picture = name;
        return magnifier(ruled, name, evidencePath(name));
      })
      .then((found) => {
        if (!found) return;
        button.classList.add("is-magnified");
        button.replaceChildren(found);
      })
      .catch(() => {});
    return button;
  }

  codeButton(ruled) {
    return h(
      "button",
      { type: "button", class: "code", "data-key": `${ruled.id}#`, onclick: () => this.openClause(ruled.code) },
      h("span", {}, ruled.code),
    );
  }

  tasks(tasks) {
    $("todo").hidden = tasks.length === 0;
    $("tasks").replaceChildren(
      ...tasks.map((task) =>
        h(
          "li",
          { class: task.done ? "task is-done" : "task" },
          task.done || !task.kind
            ? icon("check", "task-box")
            : this.board.picture(this.board.lookOf(task.kind, task.colour), "task-piece"),
          h("span", {}, task.words, task.done ? h("span", { class: "sr" }, ` (${WORDS.done})`) : null),
        ),
      ),
    );
  }

  say({ offered, sides }) {
    const few = offered.length <= SAY_AT_ONCE || this.sayAll;
    const shown = few ? offered : offered.slice(0, SAY_AT_ONCE - 1);
    $("say").hidden = offered.length === 0;
    const buttons = shown.map((said) => this.sayButton(said, sides));
    if (offered.length > SAY_AT_ONCE) buttons.push(this.moreButton(offered, sides, shown.length));
    replaceChildren($("say-list"), buttons);
  }

  sayButton(said, sides) {
    const key = `say ${said.what} ${said.side} ${said.value}`;
    const name = sides.find((other) => other.side === said.side)?.name || sideWords(said.side);
    return h(
      "button",
      {
        type: "button",
        class: "button needs-scorer",
        "data-key": key,
        onclick: () =>
          this.act({
            path: "/declarations",
            body: { what: said.what, side: said.side, value: said.value },
            label: announceLabel(said.words),
            about: key,
            undoes: "strike",
          }),
      },
      h("span", {}, said.words),
      name && !said.words.includes(name) ? h("span", { class: "say-side" }, name) : null,
      h("span", { class: "say-effects", "data-says": JSON.stringify({ what: said.what, side: said.side, value: said.value }) }),
    );
  }

  moreButton(offered, sides, shown) {
    const toggle = () => {
      this.sayAll = !this.sayAll;
      this.say({ offered, sides });
    };
    return h(
      "button",
      {
        type: "button",
        class: "button button-quiet",
        "data-key": "say more",
        "aria-expanded": String(this.sayAll),
        onclick: toggle,
      },
      this.sayAll ? WORDS.fewer : moreLabel(offered.length - shown),
    );
  }

  undo({ undoable, to_review: toReview }) {
    $("undo").hidden = undoable.length === 0;
    replaceChildren(
      $("undo-list"),
      [...undoable].reverse().map((decision, nth) => {
        const review = toReview.includes(decision.seq);
        return h(
          "li",
          { class: review ? "undo-row to-review" : "undo-row" },
          h(
            "p",
            { class: nth < FORESEE_MOST ? "undo-words is-foreseen" : "undo-words" },
            decision.words,
            review ? h("span", { class: "undo-why" }, WORDS.noLongerFits) : null,
            nth < FORESEE_MOST ? h("span", { class: "undo-why", "data-undoes": decision.seq }) : null,
          ),
          h(
            "button",
            {
              type: "button",
              class: "button needs-referee",
              "data-key": `undo ${decision.seq}`,
              "aria-label": undoLabel(decision.words),
              onclick: () =>
                this.act({
                  path: "/decisions",
                  body: { withdraw: { seq: decision.seq } },
                  label: undoLabel(decision.words),
                  about: `undo ${decision.seq}`,
                }),
            },
            icon("undo"),
            WORDS.undo,
          ),
        );
      }),
    );
  }
}

/* A change as a line of a button, where no list may stand. */
function asSpan(line) {
  if (line.kind !== "score") return h("span", { class: "effect" }, line.words);
  return h("span", { class: "effect" }, h("span", {}, `${line.name}: ${line.label} ${line.before} → `, h("strong", {}, line.after)));
}

export function thumb(name, open, key) {
  return h(
    "button",
    { type: "button", class: "thumb", "data-key": `picture ${key} ${name}`, onclick: open },
    h("img", { src: evidencePath(name), alt: WORDS.pictureAlt, loading: "lazy", decoding: "async" }),
  );
}

export function evidencePath(name) {
  return `/evidence/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/* The measured margin beside the limit, with the span that 95 of 100 measurements lie in. */
function gauge(ruled) {
  const inMm = ruled.margin_mm !== null;
  const margin = inMm ? ruled.margin_mm : ruled.margin_ms;
  const error = inMm ? ruled.error_mm : ruled.error_ms;
  if (margin === null) return null;
  const sure = SURE * (error ?? 0);
  const reach = Math.max(Math.abs(margin) + sure, 1e-6) * 1.35;
  const x = (value) => 100 + (90 * value) / reach;
  return h(
    "div",
    { class: "gauge" },
    h("p", { class: "gauge-words" }, t("Margin"), " ", h("strong", {}, marginWords(margin, error, inMm ? "mm" : "ms"))),
    s(
      "svg",
      { viewBox: "0 0 200 30", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("line", { class: "gauge-axis", x1: 4, x2: 196, y1: 15, y2: 15, "vector-effect": "non-scaling-stroke" }),
      s("rect", { class: "gauge-span", x: x(margin - sure), width: Math.max(x(margin + sure) - x(margin - sure), 1), y: 8, height: 14, "vector-effect": "non-scaling-stroke" }),
      s("line", { class: "gauge-limit", x1: 100, x2: 100, y1: 0, y2: 30, "vector-effect": "non-scaling-stroke" }),
      s("rect", { class: "gauge-dot", x: x(margin) - 1.2, width: 2.4, y: 5, height: 20 }),
    ),
  );
}

function isSeatOf(turn, side) {
  return /^[SENW]$/.test(turn) && /^[SENW]{2,}$/.test(side) && side.includes(turn);
}

function sideWithColour(side) {
  const letter = side.name && side.name !== side.side ? sideWords(side.side) : "";
  const seat = side.seats.length ? seatWords(side.seats) : letter;
  return [seat, side.colour_words].filter(Boolean).join(" · ");
}
