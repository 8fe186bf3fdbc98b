/* Asking the server: JSON there and back, with the header that our writes carry. */

export async function getJson(path) {
  return said(await fetch(path, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(8000) }));
}

export async function postJson(path, body = {}) {
  return said(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-Sightline": "1" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15000),
    }),
  );
}

/* An answer that is no success is an error that carries its words. */
async function said(answer) {
  const text = await answer.text();
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    // Not ours: the status says enough.
  }
  if (!answer.ok) throw Object.assign(new Error(body.words ?? `HTTP ${answer.status}`), { status: answer.status, body });
  return body;
}
