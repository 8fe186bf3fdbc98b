/* The line to Sightline: one event stream, watched. It must never fall silent without being noticed. */

const LOST_AFTER_MS = 2500; // beats come every second
const LOST_AFTER_ERROR_MS = 1500; // the stream broke: give a reconnect one chance
const RENEW_AFTER_MS = 6000; // an open stream that says nothing is no stream
const AGAIN_MS = 1000;
const ASK_EVERY_MS = 2000;

export class Stream {
  constructor({ model, onView, onLink, onShutOut }) {
    this.model = model;
    this.onView = onView;
    this.onLink = onLink;
    this.onShutOut = onShutOut; // this device is no longer let in
    this.source = null;
    this.lastHeard = performance.now();
    this.openedAt = 0;
    this.broken = false;
    this.link = "connecting";
    this.asking = false;
    this.fetching = false;
  }

  start() {
    this.open();
    setInterval(() => this.watch(), 200);
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.watch();
    });
    // A stream left open holds the old page's thread for longer than need be.
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.open();
    });
  }

  get silentMs() {
    return performance.now() - this.lastHeard;
  }

  open() {
    this.close();
    this.openedAt = performance.now();
    const have = this.model.eventId;
    const source = new EventSource(have ? `/events?have=${encodeURIComponent(have)}` : "/events");
    this.source = source;
    source.addEventListener("view", (event) => this.take(JSON.parse(event.data)));
    source.addEventListener("beat", (event) => {
      const { version, now_ms: nowMs } = JSON.parse(event.data);
      this.heard("live");
      this.model.setTime(nowMs, performance.now());
      if (version !== this.model.version) this.fetchState();
    });
    source.addEventListener("error", () => {
      if (source !== this.source) return;
      this.broken = true;
      if (source.readyState !== EventSource.CLOSED) return;
      this.source = null; // refused: no stream is left for this page, so it asks instead
      this.fetchState();
    });
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
  }

  take(message, link = "live") {
    this.heard(link);
    if (this.model.take(message, performance.now())) this.onView();
    else this.fetchState();
  }

  heard(link) {
    this.lastHeard = performance.now();
    this.broken = false;
    this.setLink(link);
  }

  setLink(link) {
    if (link === this.link) return;
    const before = this.link;
    this.link = link;
    this.onLink(link, before);
  }

  watch() {
    const now = performance.now();
    const limit = this.broken ? LOST_AFTER_ERROR_MS : LOST_AFTER_MS;
    const silent = this.silentMs;
    const polling = this.link === "asking" && silent < ASK_EVERY_MS + LOST_AFTER_MS;
    if (silent > limit && !polling) this.setLink("lost");
    if (!this.source && now - this.openedAt > (this.link === "asking" ? 10000 : AGAIN_MS)) this.open();
    else if (this.source && silent > RENEW_AFTER_MS && now - this.openedAt > RENEW_AFTER_MS) this.open();
    if (!this.source && silent > ASK_EVERY_MS) this.fetchState();
  }

  /* Ask for the whole state: after a gap, and where the server has no stream left to give. */
  async fetchState() {
    if (this.fetching) return;
    this.fetching = true;
    try {
      const answer = await fetch("/state", { signal: AbortSignal.timeout(4000), cache: "no-store" });
      if (answer.status === 403) this.onShutOut();
      else if (answer.ok) this.take(await answer.json(), this.source ? "live" : "asking");
    } catch {
      // Nobody there: watch() says so in time.
    } finally {
      this.fetching = false;
    }
  }
}
