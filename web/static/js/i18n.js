/* The page's words in the language chosen. The English text is the key; {names} are filled in. */

import { LANGUAGE, WORDS } from "/words.js";

export const language = LANGUAGE;

export function t(text, values = {}) {
  const said = WORDS[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
