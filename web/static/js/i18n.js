/* The page's words in the language chosen. The English text is the key; {names} are filled in. */

/* The page brings its words with it, before its scripts; without them it speaks English rather than not at all. To wait
   for them here (await) would leave buttons that do nothing on a page that has loaded. */
const { language: LANGUAGE, words: WORDS } = globalThis.sightlineWords ?? { language: "en", words: {} };

export const language = LANGUAGE;

/* A number as people of this language write it. */
export function decimal(number, digits) {
  const text = number.toFixed(digits);
  return ["de", "fr"].includes(LANGUAGE) ? text.replace(".", ",") : text;
}

export function t(text, values = {}) {
  const said = WORDS[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
