/* Every text that scripts put on the page, in one place, so that it can be translated in one place. */

export const SIGHT = {
  still: "Still",
  settling: "Settling",
  hand: "Hand over the board",
  blind: "Cannot see",
  unknown: "Connecting",
  lost: "Unknown",
};

export const LINK = {
  connecting: "connecting",
  live: "live",
  asking: "every 2 s",
  lost: "lost",
};

export const KIND = {
  note: "Note",
  turn: "Turn",
  pocket: "Pocketed",
  foul: "Foul",
  penalty: "Penalty",
  place: "To be put back",
  win: "Result",
  refused: "Refused",
  question: "Question",
};

export const FILTERS = [
  { key: "all", words: "All", shows: () => true },
  {
    key: "faults",
    words: "Fouls",
    shows: (ruled) => ["foul", "penalty", "refused"].includes(ruled.kind),
  },
  {
    key: "doubt",
    words: "Disputed",
    shows: (ruled) => ruled.overruled_by !== null || ruled.question !== null || ruled.standing === "open",
  },
];

export const REASONS = ["Not what happened", "Both players agree", "Referee’s discretion"];

export const WORDS = {
  lost: "This page has lost Sightline.",
  blind: "Sightline cannot see the table.",
  noRulings: "No rulings yet.",
  noneOfThese: "None among these rulings.",
  newest: "Newest",
  overrule: "Overrule",
  undo: "Undo",
  cancel: "Cancel",
  close: "Close",
  overruled: "Overruled",
  open: "Too close to call",
  answered: "Answered",
  asks: "The referee is asked",
  tooClose: "Too close to call",
  toPlay: "To play",
  done: "Done",
  sending: "Sending …",
  waiting: "Waiting for Sightline; sent when it is back.",
  stale: "Not done: the match has moved on.",
  upToDate: "The page now shows the newest state.",
  refused: "Refused",
  decided: "Decided",
  noLongerFits: "It no longer fits what was decided on.",
  pictureAlt: "What the camera saw at this ruling",
  pictureGone: "This picture is no longer kept.",
  noClause: "The rulebook holds no clause of this id.",
  clauseLost: "The rulebook cannot be read while Sightline is lost.",
  fewer: "Fewer",
  cameraGone: "There is no picture now.",
  stillShown: "The board shows the last settled position.",
};

export function sideWords(side) {
  return side === null || side === undefined ? "" : `Side ${side}`;
}

export function seatWords(seats) {
  return `${seats.length > 1 ? "Seats" : "Seat"} ${seats.join(" ")}`;
}

export function answerLabel(words) {
  return `Answer “${words}”`;
}

export function overruleLabel(code) {
  return `Overrule ${code}`;
}

export function undoLabel(words) {
  return `Undo “${words}”`;
}

export function announceLabel(words) {
  return `Announce “${words}”`;
}

export function moreLabel(count) {
  return `More (${count})`;
}

/* A match is called by its game and who plays it. */
export function titleWords(title, sides) {
  const names = sides.map((side) => side.name).filter((name) => name && !title.includes(name));
  return names.length ? `${title} · ${names.join(" – ")}` : title;
}

export function pictureLabel(at) {
  return `Picture of ${at}`;
}

export function lostWords(seconds) {
  return `Last heard ${spanWords(seconds)} ago. What you see is old. Taps wait here and are sent when it is back.`;
}

/* Words of the state of sight that its name does not say already. */
export function sightWords(state, words) {
  if (state === "still" || state === "lost") return "";
  const more = words.replace(/^Sightline cannot see the table:\s*/i, "").replace(/[.\s]+$/, "");
  if (state === "hand" && /^a hand is over the/i.test(more)) return "";
  return more.charAt(0).toUpperCase() + more.slice(1);
}

export function blindWords(why, seconds) {
  const reason = sightWords("blind", why);
  return `${reason ? `${reason}, ` : ""}since ${spanWords(seconds)}. No ruling is made until it sees again.`;
}

export function sinceWords(seconds) {
  return seconds < 1 ? "now" : `for ${spanWords(seconds)}`;
}

export function spanWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function clock(ms) {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/* 95 of 100 measurements lie within 1.96 standard deviations. */
export const SURE = 1.96;

function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export function marginWords(margin, error, unit) {
  if (margin === null) return "";
  const digits = Math.abs(margin) < 10 ? 2 : 1;
  const sure = error === null ? "" : ` ± ${(SURE * error).toFixed(digits)}`;
  return `${signed(margin, digits)}${sure} ${unit}`;
}

export function countWords(pieces) {
  const counts = new Map();
  const colours = new Map();
  for (const { kind, colour } of pieces) {
    colours.set(kind, (colours.get(kind) ?? new Set()).add(colour));
    const name = `${colour} ${kind}`;
    const found = counts.get(name) ?? { kind, name, count: 0 };
    counts.set(name, { ...found, count: found.count + 1 });
  }
  const parts = [...counts.values()].map(({ kind, name, count }) => {
    if (count > 1) return `${count} ${name}s`;
    return colours.get(kind).size > 1 ? `1 ${name}` : kind;
  });
  return parts.join(" · ");
}
