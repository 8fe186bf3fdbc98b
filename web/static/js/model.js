/* The match as this page knows it. Messages are folded in here; no drawing, no network. */

const WEIGHT = ["win", "question", "refused", "penalty", "foul", "pocket", "place", "turn", "note"];

export class Model {
  constructor() {
    this.view = null;
    this.rulings = [];
    this.skipped = 0; // older rulings that this page has not asked for
    this.nowMs = 0; // the match's time when it was heard last,
    this.heardAt = 0; // and when that was, on the page's own clock
  }

  get version() {
    return this.view ? this.view.version : 0;
  }

  get eventId() {
    return this.view ? `${this.view.boot}.${this.view.version}` : "";
  }

  /* Fold a message in. False: it does not follow on what this page has, a snapshot is needed. */
  take(message, now) {
    const { keep, of, tail } = message.rulings;
    const fresh = message.since === null;
    if (!fresh) {
      if (!this.view || this.view.boot !== message.boot || this.view.version !== message.since) return false;
      if (keep > this.skipped + this.rulings.length) return false;
    }
    const sameRun = this.view && this.view.boot === message.boot;
    if (fresh && sameRun && message.version < this.view.version) return true;
    if (fresh) {
      this.rulings = tail;
      this.skipped = keep;
    } else {
      this.rulings = this.rulings.slice(0, Math.max(0, keep - this.skipped)).concat(tail);
      this.skipped = Math.min(this.skipped, keep);
    }
    console.assert(this.skipped + this.rulings.length === of);
    this.view = message;
    this.setTime(Math.max(message.now_ms, sameRun ? this.timeMs(now) : 0), now);
    return true;
  }

  /* The match's time, as Sightline tells it now and then. */
  setTime(nowMs, now) {
    this.nowMs = nowMs;
    this.heardAt = now;
  }

  /* Put older rulings in front. */
  takeOlder(answer) {
    if (answer.version !== this.version || answer.start + answer.rulings.length !== this.skipped) return false;
    this.rulings = answer.rulings.concat(this.rulings);
    this.skipped = answer.start;
    return true;
  }

  timeMs(now) {
    return this.nowMs + (now - this.heardAt);
  }

  /* Seconds that the state of sight has lasted. */
  sightSeconds(now) {
    return this.view ? (this.timeMs(now) - this.view.sight.since_ms) / 1000 : 0;
  }

  /* What just happened: the rulings of the newest moment that is more than a note, the weightiest
     first; none while a question of that moment is open. */
  latest() {
    const told = this.rulings.findLast((ruled) => ruled.kind !== "note" && ruled.overruled_by === null);
    const newest = told ?? this.rulings[this.rulings.length - 1];
    if (!newest) return [];
    const moment = this.rulings.filter((ruled) => ruled.seq === newest.seq);
    if (moment.some((ruled) => ruled.standing === "open" && ruled.answered === null)) return [];
    return moment
      .filter((ruled) => ruled.overruled_by === null && ruled.answered === null)
      .sort((one, other) => WEIGHT.indexOf(one.kind) - WEIGHT.indexOf(other.kind));
  }

  /* The rulings by the moment they were seen, newest first. */
  moments(shows) {
    const moments = [];
    for (let index = this.rulings.length - 1; index >= 0; index -= 1) {
      const ruled = this.rulings[index];
      const last = moments[moments.length - 1];
      if (last && last.seq === ruled.seq) last.rulings.unshift(ruled);
      else moments.push({ seq: ruled.seq, at_ms: ruled.at_ms, rulings: [ruled] });
    }
    return moments
      .map((moment) => ({ ...moment, rulings: moment.rulings.filter(shows) }))
      .filter((moment) => moment.rulings.length > 0);
  }
}
