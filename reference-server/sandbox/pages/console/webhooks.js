/** Where an integrator's events go, each attempt to send them, and sending them again. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { dateTime, duration, nameOf, pill, time } from "./format.js";
import { choosing, submitting } from "./forms.js";
import { act, refresh } from "./polling.js";
import { change, state } from "./state.js";

/** @import { SentEventDetail, SentEventSummary, SubscriptionSummary } from "../../console/types.ts" */

/** @param {string | undefined} eventId */
export function webhooksView(eventId) {
  const integrators = state.overview?.integrators ?? [];
  const choose = choosing((client) => {
    change({ client, webhook: "", sent: undefined, subscriptions: undefined });
    void refresh();
  });
  return h(
    "main",
    { class: "stack", id: "main", key: "webhooks" },
    h(
      "div",
      { class: "pane-head" },
      h("h1", null, "Webhooks"),
      h(
        "label",
        null,
        h("span", null, "Integrator"),
        h(
          "select",
          { value: state.client ?? "", onchange: choose },
          integrators.map((known) =>
            h("option", { value: known.client_id, key: known.client_id }, nameOf(known)),
          ),
        ),
      ),
    ),
    subscriptions(),
    sentEvents(eventId),
  );
}

/**
 * Does something for the integrator that is chosen.
 * @param {string} words
 * @param {(client: string) => Promise<unknown>} work
 */
function actForClient(words, work) {
  const { client } = state;
  if (client !== undefined) void act(words, () => work(client));
}

function subscriptions() {
  const { subscriptions: known } = state;
  return h(
    "section",
    { class: "card", "aria-labelledby": "subscriptions-title" },
    h("h2", { id: "subscriptions-title" }, "Addresses"),
    known === undefined
      ? h("p", { class: "empty", key: "loading" }, "Loading…")
      : known.length === 0
        ? h(
            "p",
            { class: "empty", key: "none" },
            "No address yet. Register one by POST /v1/webhooks, or add the inbox.",
          )
        : h("ul", { class: "addresses", key: "list" }, known.map(subscription)),
    inboxForm(),
  );
}

/** @param {SubscriptionSummary} known */
function subscription({ id, url, description, event_types, status, failing_since, is_inbox }) {
  const since = submitting((entered) => {
    const at = new Date(String(entered.get("since")));
    actForClient("Sent again", async (client) => {
      const { events } = await api.redeliver(client, { webhook_id: id, since: at.toISOString() });
      return `${events} events are being sent again`;
    });
  });
  return h(
    "li",
    { key: id },
    h("div", { class: "row-top" }, h("code", { class: "url" }, url), pill(status)),
    h(
      "p",
      { class: "quiet" },
      [
        is_inbox ? "the sandbox's own inbox" : description,
        `${event_types.length} kinds`,
        failing_since && `failing since ${dateTime(failing_since)}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    h(
      "form",
      { class: "inline", onsubmit: since },
      h(
        "label",
        null,
        h("span", null, "Send again all since"),
        h("input", { type: "datetime-local", name: "since", step: 1, required: true, value: hourAgo() }),
      ),
      h("button", { type: "submit", disabled: status !== "ACTIVE" }, "Send again"),
    ),
  );
}

/** On the integrator's clock, as a field for local times takes it; empty as long as that isn't known. */
function hourAgo() {
  const now = state.overview?.integrators.find(({ client_id }) => client_id === state.client)?.now;
  if (now === undefined) return "";
  const at = new Date(now);
  return new Date(at.getTime() - 3_600_000 - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function inboxForm() {
  const add = submitting((entered) => {
    const answer = String(entered.get("answer"));
    actForClient("The inbox is subscribed", (client) =>
      api.addInbox(client, answer === "" ? {} : { answer }),
    );
  });
  return h(
    "form",
    { class: "inline add", onsubmit: add },
    h(
      "label",
      null,
      h("span", null, "Inbox that"),
      h(
        "select",
        { name: "answer", value: "" },
        h("option", { value: "" }, "verifies and takes events"),
        h("option", { value: "500" }, "fails with 500"),
        h("option", { value: "410" }, "is gone: 410"),
        h("option", { value: "302" }, "redirects: 302"),
        h("option", { value: "silence" }, "never answers"),
      ),
    ),
    h("button", { type: "submit", disabled: state.client === undefined }, "Add inbox"),
  );
}

/** @param {string | undefined} eventId */
function sentEvents(eventId) {
  const { sent } = state;
  const shown = sent?.filter(({ event_id }) => eventId === undefined || event_id === eventId);
  return h(
    "section",
    { class: "card", "aria-labelledby": "sent-title" },
    h(
      "div",
      { class: "pane-head" },
      h("h2", { id: "sent-title" }, eventId === undefined ? "Events" : "One event"),
      eventId === undefined ? addressFilter() : h("a", { href: "#/webhooks" }, "All events"),
    ),
    shown === undefined
      ? h("p", { class: "empty", key: "loading" }, "Loading…")
      : shown.length === 0
        ? h("p", { class: "empty", key: "none" }, "Nothing was sent yet.")
        : h("ul", { class: "sent", key: "list" }, shown.map(sentEvent)),
  );
}

function addressFilter() {
  const choose = choosing((webhook) => {
    change({ webhook, sent: undefined });
    void refresh();
  });
  return h(
    "label",
    { key: "filter" },
    h("span", null, "Sent to"),
    h(
      "select",
      { value: state.webhook, onchange: choose },
      h("option", { value: "" }, "All addresses"),
      (state.subscriptions ?? []).map(({ id, url }) => h("option", { value: id, key: id }, url)),
    ),
  );
}

/** @param {SentEventSummary} row */
function sentEvent(row) {
  const {
    event_id,
    webhook_id,
    type,
    version,
    state: sentState,
    external_ref,
    failures,
    outcome,
    next_at,
    occurred_at,
  } = row;
  const key = `${event_id} ${webhook_id}`;
  const isOpen = state.open === key;
  const toggle = () => {
    change({ open: isOpen ? undefined : key, attempts: undefined });
    void refresh();
  };
  const next = next_at && outcome !== null ? `next try ${time(next_at)}` : null;
  return h(
    "li",
    { key },
    h(
      "button",
      { type: "button", class: "row", "aria-expanded": String(isOpen), onclick: toggle },
      h("span", { class: "row-top" }, h("strong", null, type), pill(sentState)),
      h(
        "span",
        { class: "row-sub quiet" },
        h("span", null, [external_ref, addressOf(webhook_id)].filter(Boolean).join(" · ")),
        h(
          "span",
          null,
          [
            version && `v${version}`,
            outcome?.text,
            failures > 0 && `${failures} failed`,
            next,
            time(occurred_at),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
    ),
    isOpen && attempts(event_id, webhook_id),
  );
}

/** @param {string} webhookId */
function addressOf(webhookId) {
  return state.subscriptions?.find(({ id }) => id === webhookId)?.url ?? "an address that was deleted";
}

/**
 * @param {string} event_id
 * @param {string} webhook_id
 */
function attempts(event_id, webhook_id) {
  const known = state.attempts;
  const again = () =>
    actForClient("The event is being sent again", (client) =>
      api.redeliver(client, { webhook_id, event_id }),
    );
  if (known?.event_id !== event_id) return h("p", { class: "empty" }, "Loading…");
  return h(
    "div",
    { class: "attempts" },
    h("button", { type: "button", class: "primary", onclick: again }, "Send this event again"),
    h("details", { key: "body" }, h("summary", null, "Request body"), code(pretty(known.body))),
    known.attempts.length === 0 && h("p", { class: "quiet", key: "none" }, "No attempt yet."),
    known.attempts.map(attempt),
  );
}

/** @param {SentEventDetail["attempts"][number]} one */
function attempt(one) {
  const {
    ordinal,
    started_at,
    took_ms,
    status,
    fault,
    url,
    request_headers,
    response_headers,
    response_body,
  } = one;
  const isGood = status !== null && status >= 200 && status < 300;
  return h(
    "article",
    { class: "attempt", key: ordinal },
    h(
      "h3",
      null,
      `Attempt ${ordinal} `,
      h(
        "span",
        { class: `pill ${isGood ? "good" : "bad"}` },
        status === null ? (fault?.text ?? "no answer") : String(status),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      `${dateTime(started_at)}, took ${took_ms < 1000 ? `${took_ms} ms` : duration(took_ms / 1000)}`,
    ),
    h("h4", null, "Request"),
    code([`POST ${url}`, ...headerLines(request_headers)].join("\n")),
    h("h4", null, "Response"),
    response_headers === null
      ? h("p", { class: "quiet" }, "None came.")
      : code([...headerLines(response_headers), "", response_body ?? ""].join("\n")),
  );
}

/** @param {Record<string, string>} headers */
const headerLines = (headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** @param {string} text */
const code = (text) => h("pre", { tabindex: 0 }, h("code", null, text));

/** @param {string} json */
function pretty(json) {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
