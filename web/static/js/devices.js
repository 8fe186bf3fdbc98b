/* The owner's page: who is here, who may come, and showing out whom one does not want. */

import { getJson, postJson } from "./ask.js";
import { $, h, onChange, replaceChildren, s, setText } from "./dom.js";
import { t } from "./i18n.js";

const ROLES = [
  ["referee", t("Referee"), t("Decides: overrules, answers, corrects.")],
  ["scorer", t("Scorer"), t("Announces what no camera sees.")],
  ["viewer", t("Viewer"), t("Sees everything, changes nothing.")],
  ["overlay", t("Overlay"), t("A screen or stream that shows the score.")],
  ["owner", t("Owner"), t("Also lets devices in and shuts them out.")],
];
const NAMES = Object.fromEntries(ROLES.map(([role, name]) => [role, name]));
const drawDevices = onChange((devices) => showDevices(devices));
const drawInvitations = onChange((invitations) => showInvitations(invitations));

async function refresh() {
  try {
    const { devices, invitations } = await getJson("/devices.json");
    const now = Date.now() / 1000;
    drawDevices(devices.map((device) => ({ ...device, seen: ago(now - device.seen_s), wrote: device.wrote_s ? ago(now - device.wrote_s) : "" })));
    drawInvitations(invitations.map((each) => ({ ...each, left: Math.max(1, Math.ceil((each.until_s - now) / 60)) })));
    setText($("problem"), "");
  } catch (error) {
    if (error.status === 403) location.replace("/join");
    setText($("problem"), t("Sightline does not answer."));
  }
}

async function change(path, body) {
  try {
    await postJson(path, body);
  } catch (error) {
    setText($("problem"), error.message);
  }
  await refresh();
}

function showDevices(devices) {
  $("devices-empty").hidden = devices.length > 0;
  replaceChildren(
    $("devices"),
    devices.map((device) =>
      h(
        "li",
        { class: "device" },
        h(
          "div",
          { class: "device-words" },
          h("p", { class: "device-name" }, device.name, device.mine ? h("span", { class: "tag" }, ` ${t("this one")}`) : null),
          h("p", { class: "help" }, [platform(device.browser), t("seen {ago}", { ago: device.seen }), device.wrote ? t("decided something {ago}", { ago: device.wrote }) : ""].filter(Boolean).join(" · ")),
        ),
        roleSelect(device),
        h(
          "button",
          { type: "button", class: "button button-bad", "data-key": `out ${device.id}`, onclick: () => change(`/devices/${device.id}/revoke`), "aria-label": t("Shut out {name}", { name: device.name }) },
          t("Shut out"),
        ),
      ),
    ),
  );
}

function roleSelect(device) {
  const select = h(
    "select",
    { class: "input select", "aria-label": t("What {name} may do", { name: device.name }), "data-key": `role ${device.id}` },
    ...ROLES.map(([role, name]) => h("option", { value: role, selected: role === device.role }, name)),
  );
  select.addEventListener("change", () => change(`/devices/${device.id}/role`, { role: select.value }));
  return select;
}

function showInvitations(invitations) {
  $("open").hidden = invitations.length === 0;
  replaceChildren(
    $("invitations"),
    invitations.map((each) =>
      h(
        "li",
        { class: "device" },
        h("p", { class: "device-words" }, h("span", { class: "device-name" }, NAMES[each.role]), h("span", { class: "help" }, " ", t("open for {minutes} min", { minutes: each.left }))),
        h(
          "button",
          { type: "button", class: "button", "data-key": `close ${each.id}`, onclick: () => change(`/invitations/${each.id}/withdraw`), "aria-label": t("Close the invitation for {role}", { role: NAMES[each.role] }) },
          t("Close"),
        ),
      ),
    ),
  );
}

async function invite(role) {
  const minutes = Number(document.querySelector("#minutes input:checked").value);
  try {
    show(await postJson("/invitations", { role, minutes }));
    await refresh();
  } catch (error) {
    setText($("problem"), error.message);
  }
}

function show({ role, pin, links }) {
  const [link] = links;
  setText($("invited-title"), t("Join as {role}", { role: NAMES[role] }));
  $("invited").replaceChildren(
    s("svg", { class: "qr", viewBox: `0 0 ${link.width} ${link.width}`, role: "img", "aria-label": t("QR code that leads to {url}", { url: link.base }) }, s("rect", { width: link.width, height: link.width, fill: "#ffffff" }), s("path", { d: link.path, fill: "#000000" })),
    h(
      "div",
      { class: "invited-words" },
      h("p", {}, t("Scan this with the device’s camera, or open")),
      h("p", { class: "invited-base" }, link.base),
      h("p", {}, t("and type this PIN:")),
      h("p", { class: "invited-pin" }, `${pin.slice(0, 3)} ${pin.slice(3)}`),
    ),
  );
  $("sheet-invite").showModal();
}

function ago(seconds) {
  if (seconds < 5) return t("now");
  if (seconds < 60) return t("{n} s ago", { n: Math.floor(seconds / 10) * 10 || 5 });
  if (seconds < 3600) return t("{n} min ago", { n: Math.floor(seconds / 60) });
  return t("{n} h ago", { n: Math.floor(seconds / 3600) });
}

function platform(browser) {
  const found = /iPad|iPhone|Android|Windows|Mac OS|Linux|OBS/.exec(browser);
  return found ? found[0] : t("unknown kind");
}

if ($("invite-roles")) {
  $("invite-roles").replaceChildren(
    ...ROLES.map(([role, name, words]) =>
      h("button", { type: "button", class: "button role-button", onclick: () => invite(role) }, h("span", { class: "role-name" }, name), h("span", { class: "role-words" }, words)),
    ),
  );
  refresh();
  setInterval(refresh, 3000);
}
