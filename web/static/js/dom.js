/* Making elements. Text is always set as text: nothing that came from the match is read as markup. */

const SVG = "http://www.w3.org/2000/svg";

export function $(id) {
  return document.getElementById(id);
}

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function icon(name, className = "icon") {
  return s("svg", { class: className, "aria-hidden": "true" }, s("use", { href: `#i-${name}` }));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/* A tap beside an open sheet closes it. */
export function closeOnBackdrop() {
  for (const sheet of document.querySelectorAll("dialog.sheet")) {
    sheet.addEventListener("click", (event) => {
      if (event.target === sheet) sheet.close();
    });
  }
}

/* Set text only where it differs, so that screen readers are not told the same thing again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/* Put new children in, keeping the focus on the child with the same data-key. */
export function replaceChildren(parent, children) {
  const active = document.activeElement;
  const key = active && parent.contains(active) ? active.dataset.key : undefined;
  parent.replaceChildren(...children);
  if (key === undefined) return;
  for (const candidate of parent.querySelectorAll("[data-key]")) {
    if (candidate.dataset.key === key) {
      candidate.focus({ preventScroll: true });
      return;
    }
  }
}

/* Call `draw(value)` only when the value says something else than last time. */
export function onChange(draw) {
  let last;
  return (value) => {
    const text = JSON.stringify(value);
    if (text === last) return;
    last = text;
    draw(value);
  };
}
