/* What opens over the page: a clause of the rulebook, a picture. */

import { $, closeOnBackdrop, setText } from "./dom.js";
import { drawOutlines, overlayOf } from "./outlines.js";
import { evidencePath } from "./panels.js";
import { WORDS, clock, marginWords } from "./words.js";

export class Sheets {
  constructor({ model }) {
    this.model = model;
    this.clauses = null;
    closeOnBackdrop();
    $("camera").addEventListener("click", () => this.openCamera());
    for (const outcome of ["load", "error"]) {
      $("camera-picture").addEventListener(outcome, () => this.nextFrame(outcome === "load"));
    }
    $("picture-outlines").addEventListener("click", () => this.showOutlines($("picture-outlines").getAttribute("aria-pressed") !== "true"));
    $("picture").addEventListener("load", () => {
      const { naturalWidth, naturalHeight } = $("picture");
      $("picture-frame").style.width = `min(100%, calc((100vh - 260px) * ${naturalWidth / naturalHeight}))`;
    });
    $("picture").addEventListener("error", () => setText($("picture-words"), WORDS.pictureGone));
  }

  /* Fetch the rulebook once, early, so that it can be read while Sightline is lost. */
  async loadClauses() {
    if (this.clauses) return;
    const answer = await fetch("/clauses", { signal: AbortSignal.timeout(5000) });
    if (answer.ok) this.clauses = (await answer.json()).clauses;
  }

  openClause = async (code) => {
    await this.loadClauses().catch(() => {});
    const clause = (this.clauses ?? []).find((other) => other.code === code);
    setText($("clause-code"), code);
    setText($("clause-section"), clause ? clause.section : "");
    setText($("clause-words"), clause ? clause.words : this.clauses ? WORDS.noClause : WORDS.clauseLost);
    setText($("clause-exceptions"), clause ? clause.exceptions : "");
    $("sheet-clause").showModal();
  };

  openPicture = (ruled, name) => {
    const margin = [
      marginWords(ruled.margin_mm, ruled.error_mm, "mm"),
      marginWords(ruled.margin_ms, ruled.error_ms, "ms"),
    ].filter(Boolean);
    setText($("picture-title"), `${ruled.code} · ${clock(ruled.at_ms)}`);
    setText($("picture-words"), [ruled.words, ...margin.map((words) => `Margin ${words}.`)].join(" "));
    $("picture").alt = WORDS.pictureAlt;
    $("picture").src = evidencePath(name);
    $("picture-overlay").replaceChildren();
    $("picture-outlines").hidden = true;
    $("sheet-picture").showModal();
    overlayOf(ruled, name).then((overlay) => {
      if (!overlay || !$("picture").src.endsWith(evidencePath(name))) return;
      drawOutlines($("picture-overlay"), overlay);
      $("picture-outlines").hidden = false;
      this.showOutlines(true);
    });
  };

  showOutlines(on) {
    $("picture-outlines").setAttribute("aria-pressed", String(on));
    $("picture-overlay").classList.toggle("is-off", !on);
  }

  /* The newest frame, asked for again only when the last is shown: none can pile up. */
  openCamera() {
    setText($("camera-words"), "");
    $("sheet-camera").showModal();
    this.showFrame();
  }

  showFrame() {
    this.askedAt = performance.now();
    $("camera-picture").src = `/live.jpg?at=${Math.round(performance.now())}`;
  }

  nextFrame(came) {
    setText($("camera-words"), came ? "" : WORDS.cameraGone);
    // One that was long under way is old: the next one is wanted at once.
    const late = performance.now() - this.askedAt > 1000;
    setTimeout(() => {
      if ($("sheet-camera").open && !document.hidden) this.showFrame();
    }, came ? (late ? 0 : 400) : 2000);
  }
}
