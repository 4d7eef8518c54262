/** Events on their way to an integrator's addresses, and one of them attempt by attempt. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { body, code, headers } from "./code.js";
import { copyAsCurl } from "./curl.js";
import { dateTime, eventPill, moment, nameOf, outcomeWords, statusPill, took } from "./format.js";
import { choice, listBody, listHead, narrow, states } from "./lists.js";
import { act, refresh } from "./polling.js";
import { change, integratorBy, state } from "./state.js";

/** @import { SentEventDetail, SentEventSummary } from "../../console/types.ts" */

/**
 * @param {string | undefined} id
 * @param {string | undefined} webhookId
 */
export function eventsView(id, webhookId) {
  return h(
    "main",
    { class: id ? "split wide-list with-detail" : "split wide-list", id: "main", key: "events" },
    h(
      "section",
      { class: "list-pane", "aria-labelledby": "events-title" },
      listHead("events", "Events", "Order number or id", [integrators(), kinds(), addresses()]),
      states("events", "state", "By state", [
        ["PENDING", "Waiting"],
        ["DELIVERED", "Delivered"],
        ["FAILED", "Given up"],
        ["CANCELLED", "Cancelled"],
      ]),
      listBody(
        "events",
        "Nothing was sent yet. Events go to the addresses that stand under Webhooks.",
        (items) => items.map((item) => row(item, id, webhookId)),
      ),
    ),
    detail(id),
  );
}

/** Whose events are shown is whose addresses are, too. */
export function integrators() {
  /** @type {[string, string][]} */
  const known = (state.overview?.integrators ?? []).map((one) => [one.client_id, nameOf(one)]);
  return choice("Integrator", state.client ?? "", known, (client) => {
    const { webhook_id: _, ...search } = state.search.events;
    change({
      client,
      subscriptions: undefined,
      events: undefined,
      search: { ...state.search, events: search },
      offset: { ...state.offset, events: 0 },
    });
    void refresh();
  });
}

function kinds() {
  /** @type {[string, string][]} */
  const known = (state.overview?.event_kinds ?? []).map((kind) => [kind, kind]);
  return choice("Kind", state.search.events.type ?? "", [["", "All"], ...known], (type) =>
    narrow("events", { type }),
  );
}

function addresses() {
  /** @type {[string, string][]} */
  const known = (state.subscriptions ?? []).map(({ id, url }) => [id, url]);
  return choice(
    "Sent to",
    state.search.events.webhook_id ?? "",
    [["", "All addresses"], ...known],
    (webhook_id) => narrow("events", { webhook_id }),
  );
}

/**
 * What became of it so far, or comes next.
 * @param {SentEventSummary} event
 */
function progress({ failures, outcome, next_at, state: sentState }) {
  const clock = integratorBy(state.client);
  const failed = failures > 0 && `${failures} failed`;
  if (sentState === "PENDING" && outcome !== null) {
    return [outcomeWords(outcome), failed, next_at && `next try ${moment(next_at, clock)}`];
  }
  return [sentState !== "DELIVERED" && outcome && outcomeWords(outcome), failed];
}

/**
 * @param {SentEventSummary} event
 * @param {string | undefined} openId
 * @param {string | undefined} openWebhook
 */
function row(event, openId, openWebhook) {
  const { event_id, webhook_id, type, version, external_ref, occurred_at } = event;
  const isOpen = event_id === openId && (openWebhook === undefined || openWebhook === webhook_id);
  const about = [external_ref, version && `v${version}`, addressOf(webhook_id)].filter(Boolean).join(" · ");
  return h(
    "li",
    { key: `${event_id} ${webhook_id}` },
    h(
      "a",
      {
        class: "row",
        href: `#/events/${event_id}/${webhook_id}`,
        "aria-current": isOpen ? "true" : null,
      },
      h(
        "span",
        { class: "row-top" },
        h("strong", { class: "grow ellipsis" }, type),
        eventPill(event),
        h("span", { class: "quiet when" }, moment(occurred_at, integratorBy(state.client))),
      ),
      h(
        "span",
        { class: "row-sub quiet" },
        h("span", null, about),
        h("span", null, progress(event).filter(Boolean).join(" · ")),
      ),
    ),
  );
}

/** @param {string} webhookId */
function addressOf(webhookId) {
  return state.subscriptions?.find(({ id }) => id === webhookId)?.url ?? "an address that was deleted";
}

/** @param {string | undefined} id */
function detail(id) {
  const { event } = state;
  const back = h("h1", { class: "back", key: "back" }, h("a", { href: "#/events" }, "← All events"));
  if (id === undefined) {
    return h(
      "section",
      { class: "detail-pane idle", key: "none" },
      h(
        "div",
        { class: "intro" },
        h("h2", null, "Choose an event to follow it"),
        h("p", { class: "quiet" }, "You see each attempt with what was answered, and can send it again."),
      ),
    );
  }
  if (event === null || event === undefined || event.event_id !== id) {
    const words = event === null ? "There is no such event at any address." : "Loading…";
    return h("section", { class: "detail-pane", key: id }, back, h("p", { class: "empty" }, words));
  }
  return h(
    "section",
    { class: "detail-pane", key: `${id} ${event.webhook_id}`, "aria-labelledby": "event-title" },
    back,
    h(
      "header",
      { class: "detail-head" },
      h("h2", { id: "event-title" }, event.type),
      h("span", { "aria-live": "polite" }, eventPill(event)),
      asCurl(event),
      sendAgain(event),
    ),
    whatFollows(event),
    facts(event),
    h("h3", null, "Attempts"),
    event.attempts.length === 0 && h("p", { class: "quiet", key: "none" }, "No attempt yet."),
    event.attempts.map(attempt),
    h("h3", null, "Body"),
    body(event.body, "event body"),
  );
}

/**
 * As it was sent last: with its signature, for `npm run webhook -- verify` too.
 * @param {SentEventDetail} event
 */
function asCurl({ body: text, attempts: [last] }) {
  return last && copyAsCurl({ method: "POST", url: last.url, headers: last.request_headers, body: text });
}

/** @param {SentEventDetail} event */
function sendAgain({ event_id, webhook_id }) {
  const { client } = state;
  const address = state.subscriptions?.find(({ id }) => id === webhook_id);
  const again = () => {
    if (client !== undefined) {
      void act("The event is being sent again", () => api.redeliver(client, { webhook_id, event_id }));
    }
  };
  return h(
    "button",
    { type: "button", class: "primary end", onclick: again, disabled: address?.status !== "ACTIVE" },
    "Send this event again",
  );
}

/** @param {SentEventDetail} event */
function whatFollows({ state: sentState, next_at, failures, outcome }) {
  const clock = integratorBy(state.client);
  if (sentState === "PENDING" && next_at !== null && outcome !== null) {
    return h(
      "p",
      { class: "hint warn", key: "next" },
      `Attempt ${failures} failed: ${outcomeWords(outcome)}. The next of 8 is due at `,
      h("strong", null, moment(next_at, clock)),
      " on the integrator's clock.",
    );
  }
  if (sentState === "FAILED")
    return h("p", { class: "hint bad", key: "over" }, "Given up after the last of 8 attempts.");
  if (sentState === "CANCELLED") {
    return h("p", { class: "hint bad", key: "cancelled" }, "Cancelled: its address was closed or deleted.");
  }
  return null;
}

/** @param {SentEventDetail} event */
function facts({ occurred_at, webhook_id, event_id, delivery_id, external_ref, version }) {
  return h(
    "dl",
    { class: "facts" },
    h("div", null, h("dt", null, "Happened at"), h("dd", null, dateTime(occurred_at))),
    h(
      "div",
      null,
      h("dt", null, "Sent to"),
      h("dd", null, h("code", { class: "url" }, addressOf(webhook_id))),
    ),
    h("div", null, h("dt", null, "webhook-id"), h("dd", null, h("code", null, event_id))),
    delivery_id &&
      h(
        "div",
        { key: "delivery" },
        h("dt", null, "Delivery"),
        h(
          "dd",
          null,
          h("a", { href: `#/deliveries/${delivery_id}` }, `${external_ref ?? delivery_id}`),
          ` in version ${version} `,
          h(
            "button",
            { type: "button", class: "link", onclick: () => narrow("events", { delivery_id }) },
            "Its events alone",
          ),
        ),
      ),
  );
}

/** @param {SentEventDetail["attempts"][number]} one */
function attempt({ ordinal, started_at, took_ms, status, fault, url, ...one }) {
  const clock = integratorBy(state.client);
  return h(
    "article",
    { class: "attempt", key: ordinal },
    h(
      "h4",
      { class: "row-top" },
      `Attempt ${ordinal}`,
      status === null ? h("span", { class: "pill bad" }, "no answer") : statusPill(status),
      h("span", { class: "quiet when" }, `${moment(started_at, clock)}, took ${took(took_ms)}`),
    ),
    fault && h("p", { key: "fault" }, `${outcomeWords(fault)} `, h("code", { class: "quiet" }, fault.text)),
    h(
      "details",
      { key: "request" },
      h("summary", null, "Request"),
      code(`POST ${url}`),
      headers(one.request_headers),
    ),
    one.response_headers !== null &&
      h(
        "details",
        { key: "response", open: ordinal === state.event?.attempts[0]?.ordinal },
        h("summary", null, "Response"),
        headers(one.response_headers),
        one.response_body ? body(one.response_body, "response body") : h("p", { class: "quiet" }, "No body."),
      ),
  );
}
