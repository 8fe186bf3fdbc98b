/* What this browser remembers between visits. */

export function remember(name, value) {
  try {
    localStorage.setItem(`sightline.${name}`, value);
  } catch {
    // Private windows may refuse: then it is forgotten.
  }
}

export function recall(name) {
  try {
    return localStorage.getItem(`sightline.${name}`);
  } catch {
    return null;
  }
}
