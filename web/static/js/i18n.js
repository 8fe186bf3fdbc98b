/* The page's words in the language chosen. The English text is the key; {names} are filled in. */

/* The page says which language it was asked for in (a cookie, ?lang=, the browser's): its scripts speak the same. */
const { LANGUAGE, WORDS } = await import(`/words.js?lang=${document.documentElement.lang}`);

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
