/* Joining: the secret that a QR code brought in the address, or a PIN typed in. */

import { postJson } from "./ask.js";
import { $, setText } from "./dom.js";
import { t } from "./i18n.js";

const form = $("join");
let secret = "";

function read() {
  secret = location.hash.slice(1);
  $("pin-part").hidden = secret !== "";
  $("qr-part").hidden = secret === "";
}

async function join(event) {
  event.preventDefault();
  const pin = $("pin").value.replace(/\D/g, "");
  if (!secret && pin.length !== 6) {
    setText($("problem"), t("A PIN has six digits."));
    $("pin").focus();
    return;
  }
  setText($("problem"), "");
  form.setAttribute("aria-busy", "true");
  try {
    const { role } = await postJson("/join", { ...(secret ? { secret } : { pin }), name: $("name").value.trim() });
    location.replace({ overlay: "/overlay", owner: "/devices" }[role] ?? "/");
  } catch (error) {
    setText($("problem"), error.status ? error.message : t("Sightline does not answer. Is this device in the same network?"));
  } finally {
    form.removeAttribute("aria-busy");
  }
}

if (form) {
  read();
  addEventListener("hashchange", read);
  form.addEventListener("submit", join);
  form.querySelector("button[type=submit]").disabled = false; // before, a tap would do nothing
}
