/** The requests that integrators sent, refused ones too, and one of them with all that it said and was told. */
import { h } from "/pages/shared/dom.js";
import { body, headers } from "./code.js";
import { copyAsCurl } from "./curl.js";
import { faultSwitch } from "./faults.js";
import { amount, dateTime, moment, nameOf, size, statusPill, took } from "./format.js";
import { hintOf } from "./hints.js";
import { choice, listBody, listHead, narrow, states } from "./lists.js";
import { state } from "./state.js";

/** @import { RequestBody, RequestDetail, RequestSummary } from "../../console/types.ts" */

/** @param {string | undefined} id */
export function requestsView(id) {
  return h(
    "main",
    { class: id ? "split wide-list with-detail" : "split wide-list", id: "main", key: "requests" },
    h(
      "section",
      { class: "list-pane", "aria-labelledby": "requests-title" },
      listHead("requests", "Requests", "Path, code, header or body", [integrators(), methods()]),
      faultSwitch(),
      states("requests", "status", "By status", [
        ["2", "2xx"],
        ["4", "4xx"],
        ["5", "5xx"],
      ]),
      listBody(
        "requests",
        "No request yet. What your client sends to this address is listed here, refused requests too.",
        (items) => items.map((item) => row(item, id)),
      ),
      bound(),
    ),
    detail(id),
  );
}

function integrators() {
  /** @type {[string, string][]} */
  const known = (state.overview?.integrators ?? []).map((one) => [one.client_id, nameOf(one)]);
  return choice("Integrator", state.search.requests.client_id ?? "", [["", "All"], ...known], (client_id) =>
    narrow("requests", { client_id }),
  );
}

function methods() {
  /** @type {[string, string][]} */
  const known = ["GET", "POST", "PATCH", "DELETE"].map((method) => [method, method]);
  return choice("Method", state.search.requests.method ?? "", [["", "All"], ...known], (method) =>
    narrow("requests", { method }),
  );
}

/** How much is kept, where that isn't all. */
function bound() {
  const { requests } = state;
  if (requests === undefined || requests.seen === 0) return null;
  const { seen, kept, most } = requests;
  const words =
    seen === kept
      ? `All ${amount(seen)} requests since the start are kept; at most ${amount(most)} are.`
      : `The latest ${amount(kept)} of ${amount(seen)} requests since the start are kept.`;
  return h("p", { class: "quiet small", key: "bound" }, words);
}

/**
 * @param {RequestSummary} request
 * @param {string | undefined} openId
 */
function row(request, openId) {
  const { id, at, method, path, status, code, took_ms, integrator, client_id } = request;
  return h(
    "li",
    { key: id },
    h(
      "a",
      { class: "row", href: `#/requests/${id}`, "aria-current": String(id) === openId ? "true" : null },
      h(
        "span",
        { class: "row-top" },
        statusPill(status),
        h("code", { class: "method" }, method),
        h("code", { class: "grow ellipsis" }, path),
        h("span", { class: "quiet when" }, moment(at)),
      ),
      h(
        "span",
        { class: "row-sub quiet" },
        h(
          "span",
          null,
          [integrator ?? client_id ?? "nobody that is known", code].filter(Boolean).join(" · "),
        ),
        h("span", null, took(took_ms)),
      ),
    ),
  );
}

/** @param {string | undefined} id */
function detail(id) {
  const { request } = state;
  const back = h("h1", { class: "back", key: "back" }, h("a", { href: "#/requests" }, "← All requests"));
  if (id === undefined) {
    return h(
      "section",
      { class: "detail-pane idle", key: "none" },
      h(
        "div",
        { class: "intro" },
        h("h2", null, "Choose a request to read it"),
        h(
          "p",
          { class: "quiet" },
          "You see what was sent and what was answered, without secrets and tokens.",
        ),
      ),
    );
  }
  if (request === null || String(request?.id) !== id || request === undefined) {
    const words = request === null ? "This request isn't kept any more." : "Loading…";
    return h("section", { class: "detail-pane", key: id }, back, h("p", { class: "empty" }, words));
  }
  return h(
    "section",
    { class: "detail-pane", key: id, "aria-labelledby": "request-title" },
    back,
    h(
      "header",
      { class: "detail-head" },
      h("h2", { id: "request-title", class: "mono" }, `${request.method} ${request.path}`),
      statusPill(request.status),
      request.code && h("code", null, request.code),
      asCurl(request),
    ),
    isRedacted(request) &&
      h(
        "p",
        { class: "quiet small", key: "redacted" },
        "As curl: set TOKEN, and put secrets where [redacted] is.",
      ),
    hintOf(request.code) && h("p", { class: "hint", key: "hint" }, hintOf(request.code)),
    facts(request),
    part("Request", request.request_headers, request.request_body, request.status),
    part("Response", request.response_headers, request.response_body, request.status),
  );
}

/** @param {RequestDetail} request */
const isRedacted = ({ request_headers, request_body }) =>
  `${Object.values(request_headers)} ${request_body?.text}`.includes("[redacted]");

/**
 * Of a body that is kept in part nothing can be sent again.
 * @param {RequestDetail} request
 */
function asCurl({ method, path, request_headers, request_body }) {
  if (request_body !== null && !request_body.is_whole) return null;
  const url = `${location.origin}${path}`;
  return copyAsCurl({ method, url, headers: request_headers, body: request_body?.text ?? null });
}

/** @param {RequestDetail} request */
function facts({ at, took_ms, integrator, client_id, delivery_id }) {
  return h(
    "dl",
    { class: "facts" },
    h("div", null, h("dt", null, "Came at"), h("dd", null, dateTime(at))),
    h("div", null, h("dt", null, "Took"), h("dd", null, took(took_ms))),
    h(
      "div",
      null,
      h("dt", null, "Integrator"),
      h("dd", null, integrator ?? client_id ?? "nobody that is known"),
    ),
    delivery_id &&
      h(
        "div",
        { key: "delivery" },
        h("dt", null, "Delivery"),
        h("dd", null, h("a", { href: `#/deliveries/${delivery_id}` }, h("code", null, delivery_id))),
      ),
  );
}

/**
 * @param {"Request" | "Response"} name
 * @param {Record<string, string>} known
 * @param {RequestBody | null} content
 * @param {number} status
 */
function part(name, known, content, status) {
  return h(
    "div",
    { class: "part", key: name },
    h("h3", null, name),
    h(
      "details",
      { key: "headers" },
      h("summary", null, `Headers (${Object.keys(known).length})`),
      headers(known),
    ),
    content === null
      ? h("p", { class: "quiet", key: "none" }, nothing(name, status))
      : [
          content.text === ""
            ? h("p", { class: "quiet", key: "size" }, `${size(content.bytes)}, not text.`)
            : body(content.text, `${name.toLowerCase()} body`),
          !content.is_whole &&
            content.text !== "" &&
            h("p", { class: "quiet small", key: "cut" }, `The beginning of ${size(content.bytes)}.`),
        ],
  );
}

/**
 * @param {"Request" | "Response"} name
 * @param {number} status
 */
function nothing(name, status) {
  const unread = name === "Request" && [401, 403, 404, 415, 429].includes(status);
  return unread ? "No body, or refused before it was read." : "No body.";
}
