/* The texts that scripts put on the page. `t` finds them in the language chosen. */

import { decimal, t } from "./i18n.js";

export const SIGHT = {
  still: t("Still"),
  settling: t("Settling"),
  hand: t("Hand over the board"),
  blind: t("Cannot see"),
  unknown: t("Connecting"),
  lost: t("Unknown"),
};

export const LINK = {
  connecting: t("connecting"),
  live: t("live"),
  asking: t("every 2 s"),
  lost: t("lost"),
};

export const KIND = {
  note: t("Note"),
  turn: t("Turn"),
  pocket: t("Pocketed"),
  foul: t("Foul"),
  penalty: t("Penalty"),
  place: t("To be put back"),
  win: t("Result"),
  refused: t("Refused"),
  question: t("Question"),
};

export const FILTERS = [
  { key: "all", words: t("All"), shows: () => true },
  {
    key: "faults",
    words: t("Fouls"),
    shows: (ruled) => ["foul", "penalty", "refused"].includes(ruled.kind),
  },
  {
    key: "doubt",
    words: t("Disputed"),
    shows: (ruled) => ruled.overruled_by !== null || ruled.confirmed_by !== null || ruled.question !== null || ruled.standing === "open",
  },
];

export const WORDS = {
  lost: t("This page has lost Sightline."),
  blind: t("Sightline cannot see the table."),
  noRulings: t("No rulings yet."),
  noneOfThese: t("None among these rulings."),
  newest: t("Newest"),
  overrule: t("Overrule"),
  confirm: t("Confirm"),
  confirmed: t("Confirmed"),
  nothing: t("This changes neither score nor turn."),
  undo: t("Undo"),
  cancel: t("Cancel"),
  close: t("Close"),
  overruled: t("Overruled"),
  open: t("Too close to call"),
  answered: t("Answered"),
  asks: t("The referee is asked"),
  tooClose: t("Too close to call"),
  toPlay: t("To play"),
  done: t("Done"),
  sending: t("Sending …"),
  waiting: t("Waiting for Sightline; sent when it is back."),
  stale: t("Not done: the match has moved on."),
  upToDate: t("The page now shows the newest state."),
  refused: t("Refused"),
  decided: t("Decided"),
  noLongerFits: t("It no longer fits what was decided on."),
  pictureAlt: t("What the camera saw at this ruling"),
  pictureGone: t("This picture is no longer kept."),
  noClause: t("The rulebook holds no clause of this id."),
  clauseLost: t("The rulebook cannot be read while Sightline is lost."),
  fewer: t("Fewer"),
  empty: t("The board, empty"),
  correct: t("Correct"),
  elsewhere: t("Decided on another device"),
  cameraGone: t("There is no picture now."),
  handStays: t("Something stays over the table."),
  handRemedy: t("Take it away. If nothing is there, the light has changed since the table was set up: set it up again."),
  stillShown: t("The board shows the last settled position."),
};

export function sideWords(side) {
  return side === null || side === undefined ? "" : t("Side {side}", { side });
}

export function seatWords(seats) {
  const named = { seats: seats.join(" ") };
  return seats.length > 1 ? t("Seats {seats}", named) : t("Seat {seats}", named);
}

export function answerLabel(words) {
  return t("Answer “{words}”", { words });
}

export function overruleLabel(code) {
  return t("Overrule {code}", { code });
}

export function confirmLabel(code) {
  return t("Confirm {code}", { code });
}

export function undoLabel(words) {
  return t("Undo “{words}”", { words });
}

export function announceLabel(words) {
  return t("Announce “{words}”", { words });
}

export function moreLabel(count) {
  return t("More ({count})", { count });
}

/* A match is called by its game and who plays it. */
export function titleWords(title, sides) {
  const names = sides.map((side) => side.name).filter((name) => name && !title.includes(name));
  return names.length ? `${title} · ${names.join(" – ")}` : title;
}

export function correctLabel(at) {
  return t("Correct what was seen at {at}", { at });
}

export function pictureLabel(at) {
  return t("Picture of {at}", { at });
}

export function lostWords(seconds) {
  return t("Last heard {span} ago. What you see is old. Taps wait here and are sent when it is back.", { span: spanWords(seconds) });
}

/* What is said of sight beside the name of its state, as the beginning of a sentence. */
export function sightWords(state, more) {
  if (state === "lost") return "";
  const words = more.replace(/[.\s]+$/, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function blindWords(more, seconds) {
  const reason = sightWords("blind", more);
  const span = spanWords(seconds);
  if (!reason) return t("Since {span}. No ruling is made until it sees again.", { span });
  return t("{reason}, since {span}. No ruling is made until it sees again.", { reason, span });
}

export function sinceWords(seconds) {
  return seconds < 1 ? t("now") : t("for {span}", { span: spanWords(seconds) });
}

export function spanWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return t("{n} s", { n: whole });
  if (whole < 3600) return t("{m} min {n} s", { m: Math.floor(whole / 60), n: whole % 60 });
  return t("{h} h {m} min", { h: Math.floor(whole / 3600), m: Math.floor((whole % 3600) / 60) });
}

export function timerWords(leftMs, running) {
  const time = clock(Math.ceil(leftMs / 1000) * 1000);
  return running ? t("{time} left", { time }) : t("{time} left, stopped", { time });
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
  const text = decimal(Math.abs(number), digits);
  return number < 0 && Number(text.replace(",", ".")) !== 0 ? `−${text}` : text;
}

export function marginWords(margin, error, unit) {
  if (margin === null) return "";
  const digits = Math.abs(margin) < 10 ? 2 : 1;
  const sure = error === null ? "" : ` ± ${decimal(SURE * error, digits)}`;
  return `${signed(margin, digits)}${sure} ${unit}`;
}

function manyWords(name) {
  return name.endsWith("man") ? `${name.slice(0, -3)}men` : `${name}s`;
}

/* A piece by its look. */
export function lookWords({ kind, colour }) {
  return colour ? t("{colour} {kind}", { colour: t(colour), kind: t(kind) }) : t(kind);
}

/* How many pieces there are of each look; of the kinds in `coloured` a table has several colours. */
export function countWords(pieces, coloured) {
  const counts = new Map();
  for (const { kind, colour } of pieces) {
    const name = `${colour} ${kind}`;
    const found = counts.get(name) ?? { kind, colour, count: 0 };
    counts.set(name, { ...found, count: found.count + 1 });
  }
  const parts = [...counts.values()].map(({ kind, colour, count }) => {
    const named = { count, colour: t(colour), kind: t(count > 1 ? manyWords(kind) : kind) };
    if (!colour) return count > 1 ? `${count} ${named.kind}` : named.kind;
    return count > 1 || coloured.has(kind) ? t("{count} {colour} {kind}", named) : named.kind;
  });
  return parts.join(" · ");
}
