/* How this device shows the match: theme, language, speech, a screen that stays awake. */

import { $, setText } from "./dom.js";
import { language, t } from "./i18n.js";
import { recall, remember } from "./memory.js";

export function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

export class Menu {
  constructor() {
    this.speaks = false;
    setTheme(recall("theme") ?? "dark");
    $("menu").addEventListener("click", () => $("sheet-menu").showModal());
    $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "light" ? "dark" : "light"));
    $("language").addEventListener("change", () => {
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `sightline_language=${$("language").value}; path=/; max-age=31536000; samesite=strict${secure}`;
      location.reload();
    });
    $("speech").hidden = !("speechSynthesis" in window);
    $("speech").addEventListener("click", () => this.setSpeech(!this.speaks));
    $("fullscreen").hidden = !document.fullscreenEnabled;
    $("fullscreen").addEventListener("click", () => this.toggleFullscreen());
    document.addEventListener("visibilitychange", () => this.stayAwake());
    this.stayAwake();
  }

  /* A browser speaks only after a tap: so this is asked for anew on every visit. */
  setSpeech(on) {
    this.speaks = on;
    $("speech").setAttribute("aria-pressed", String(on));
    speechSynthesis.cancel();
    if (on) this.speak(t("Rulings are spoken from now on."));
  }

  speak(words) {
    if (!this.speaks || !words) return;
    const said = new SpeechSynthesisUtterance(words);
    said.lang = language;
    speechSynthesis.speak(said);
  }

  toggleFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
    $("sheet-menu").close();
  }

  /* Keep the screen awake where the browser lets a page ask for that (only over https or on this computer). */
  async stayAwake() {
    if (document.hidden) return;
    const lock = navigator.wakeLock ? await navigator.wakeLock.request("screen").catch(() => null) : null;
    setText($("awake"), lock ? t("The screen stays on while this page is open.") : t("This browser lets the screen go dark. Set the device’s screen to stay on."));
  }
}
