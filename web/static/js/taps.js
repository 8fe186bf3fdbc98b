/* Taps on their way into the log. Each has a key of its own, so that sending it twice is one tap; while
   Sightline is lost they wait in sight, and can be taken back; what no longer fits is refused with words. */

import { h, icon, replaceChildren } from "./dom.js";
import { effectWords } from "./effects.js";
import { WORDS } from "./words.js";

const DONE_FOR_MS = 9000;
const TIMEOUT_MS = 5000;

export class Taps {
  constructor({ tray, model, onStale, isLost, undo, onDone = () => {} }) {
    this.tray = tray;
    this.model = model;
    this.onStale = onStale;
    this.isLost = isLost;
    this.undo = undo;
    this.onDone = onDone;
    this.taps = [];
    this.mine = new Set(); // the entries that this page's own taps made
    this.busy = new Set();
  }

  /* Send `body` to `path`; `about` is what it decides on, so that a second tap on the same does nothing. */
  send({ path, body, label, about, undoes = null }) {
    if (this.busy.has(about)) return;
    this.busy.add(about);
    const view = this.model.view;
    const tap = {
      key: newKey(),
      path,
      label,
      about,
      undoes,
      body: { ...body, seen: this.model.version, ...(view ? { boot: view.boot } : {}) },
      state: this.isLost() ? "waiting" : "sending",
      note: "",
    };
    tap.body.key = tap.key;
    this.taps.push(tap);
    this.draw();
    if (tap.state === "sending") this.post(tap);
  }

  /* Sightline is back: send what waited. */
  resume() {
    for (const tap of this.taps) {
      if (tap.state === "waiting") {
        tap.state = "sending";
        this.post(tap);
      }
    }
    this.draw();
  }

  async post(tap) {
    let answer;
    let said = {};
    try {
      answer = await fetch(tap.path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Sightline": "1" },
        body: JSON.stringify(tap.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      said = await answer.json();
    } catch {
      tap.state = "waiting";
      this.draw();
      setTimeout(() => {
        if (tap.state === "waiting" && !this.isLost()) this.resume();
      }, 1500);
      return;
    }
    if (answer.status === 201) {
      this.finish(tap, "done", effectWords(said.changed), said.seq);
      this.onDone();
    }
    else if (answer.status === 409) {
      this.finish(tap, "refused", `${WORDS.stale} ${said.words} ${WORDS.upToDate}`);
      this.onStale(said.view);
    } else this.finish(tap, "refused", `${WORDS.refused}: ${said.words ?? answer.status}`);
  }

  finish(tap, state, note, seq = null) {
    tap.state = state;
    tap.note = note;
    tap.seq = seq;
    if (seq !== null) this.mine.add(seq);
    this.busy.delete(tap.about);
    if (state === "done") setTimeout(() => this.drop(tap), DONE_FOR_MS);
    this.draw();
  }

  /* Tell what somebody decided on another device. */
  tell(words) {
    const tap = { key: newKey(), label: words, about: null, undoes: null, state: "told", note: WORDS.elsewhere };
    this.taps.push(tap);
    setTimeout(() => this.drop(tap), DONE_FOR_MS);
    this.draw();
  }

  drop(tap) {
    this.taps = this.taps.filter((other) => other !== tap);
    this.busy.delete(tap.about);
    this.draw();
  }

  draw() {
    replaceChildren(this.tray, this.taps.slice(-4).map((tap) => this.row(tap)));
  }

  row(tap) {
    const note = {
      waiting: WORDS.waiting,
      sending: WORDS.sending,
      done: tap.note || WORDS.done,
      refused: tap.note,
      told: tap.note,
    }[tap.state];
    return h(
      "div",
      { class: "tap", "data-state": tap.state },
      h("p", {}, tap.label, h("span", { class: "tap-note" }, note)),
      this.button(tap),
    );
  }

  button(tap) {
    const close = () => this.drop(tap);
    if (tap.state === "waiting") {
      return h("button", { type: "button", class: "button", "data-key": tap.key, onclick: close }, WORDS.cancel);
    }
    if (tap.state === "refused" || tap.state === "told") {
      return h("button", { type: "button", class: "button", "data-key": tap.key, onclick: close }, WORDS.close);
    }
    if (tap.state === "done" && tap.undoes !== null && tap.seq !== null) {
      const undo = () => {
        this.drop(tap);
        this.undo(tap.seq, tap.label, tap.undoes);
      };
      return h(
        "button",
        { type: "button", class: "button needs-referee", "data-key": tap.key, onclick: undo },
        icon("undo"),
        WORDS.undo,
      );
    }
    return null;
  }
}

/* crypto.randomUUID is missing on plain http in a hall's network; random values are not. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
