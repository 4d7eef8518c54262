// Unpacks a group's compressed exchanges when a check is opened.

/**
 * @typedef {{ operation: string, started_at: string, duration_ms: number, violates?: string, failure?: string,
 *   request: { method: string, url: string, headers: Record<string, string>, body?: string },
 *   response?: { status: number, headers: Record<string, string>, body: string } }} Exchange
 */

/** @type {Map<string, Promise<Record<string, Exchange[]>>>} */
const unpacked = new Map();

/** @param {string} group */
async function unpack(group) {
  const packed = document.querySelector(`script[data-wire-block="${CSS.escape(group)}"]`)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * @param {string} name
 * @param {string} [text]
 * @param {string} [className]
 */
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
}

/** @param {string | undefined} body */
function laidOut(body) {
  try {
    return JSON.stringify(JSON.parse(body ?? ""), null, 2);
  } catch {
    return body ?? "";
  }
}

/**
 * @param {string} start
 * @param {Record<string, string>} headers
 * @param {string | undefined} body
 */
const message = (start, headers, body) =>
  [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", laidOut(body)]
    .join("\n")
    .trimEnd();

/** @param {Exchange} exchange */
function exchangeOf({ operation, started_at, duration_ms, violates, failure, request, response }) {
  const details = element("details", undefined, "exchange");
  const purpose = violates === undefined ? "" : ` (invalid on purpose: ${violates})`;
  const summary = element("summary");
  summary.append(
    element("code", `${request.method} ${request.url}`),
    ` → ${response ? response.status : "no response"}${purpose}`,
  );
  details.append(summary);
  details.addEventListener(
    "toggle",
    () => {
      const columns = element("div", undefined, "wire");
      const sent = element("div");
      sent.append(
        element("h5", "Request"),
        element("pre", message(`${request.method} ${request.url}`, request.headers, request.body)),
      );
      const came = element("div");
      came.append(
        element("h5", "Response"),
        response
          ? element("pre", message(`${response.status}`, response.headers, response.body))
          : element("p", `No response: ${failure}`),
      );
      columns.append(sent, came);
      details.append(element("p", `${operation}, ${started_at}, took ${duration_ms} ms`, "small"), columns);
    },
    { once: true },
  );
  return details;
}

for (const place of document.querySelectorAll("details.all-wire")) {
  if (!(place instanceof HTMLDetailsElement)) continue;
  place.addEventListener(
    "toggle",
    async () => {
      const { wire: group = "", of = "" } = place.dataset;
      const promised = unpacked.get(group) ?? unpack(group);
      unpacked.set(group, promised);
      const note = place.querySelector("p");
      try {
        const exchanges = (await promised)[of] ?? [];
        note?.remove();
        place.append(...exchanges.map(exchangeOf));
      } catch {
        if (note)
          note.textContent = "This browser can't unpack it. With --har, exchanges.har holds the same.";
      }
    },
    { once: true },
  );
}
