/** Where an integrator's events go: how each address does, and what can be done with it. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { integrators } from "./events.js";
import { counted, duration, moment, outcomeWords, pill } from "./format.js";
import { submitting } from "./forms.js";
import { narrow } from "./lists.js";
import { actForClient, inboxForm, newAddress } from "./new-address.js";
import { change, integratorBy, state } from "./state.js";

/** @import { SubscriptionSummary } from "../../console/types.ts" */

export function webhooksView() {
  const { subscriptions: known } = state;
  return h(
    "main",
    { class: "stack", id: "main", key: "webhooks" },
    h(
      "div",
      { class: "pane-head" },
      h("h1", null, "Webhooks"),
      state.overview?.integrators.length === 0 ? null : integrators(),
    ),
    known === undefined
      ? h("p", { class: "empty", key: "loading" }, "Loading…")
      : known.length === 0
        ? h(
            "p",
            { class: "card empty", key: "none" },
            state.client === undefined
              ? "No integrator yet: make one under Integrators."
              : "No address yet: add one below, or POST /v1/webhooks.",
          )
        : h("ul", { class: "addresses", key: "list" }, known.map(address)),
    h("div", { class: "columns" }, newAddress(), inboxForm()),
  );
}

/** @param {SubscriptionSummary} known */
function address(known) {
  const { id, url, status, closes_at } = known;
  const isFailing = closes_at !== null;
  return h(
    "li",
    { key: id, class: isFailing || status === "CLOSED" ? "card address failing" : "card address" },
    h("div", { class: "row-top" }, h("h2", { class: "url mono" }, url), pill(isFailing ? "FAILING" : status)),
    failure(known),
    about(known),
    numbers(known),
    actions(known),
    state.newSecret?.id === id &&
      h(
        "p",
        { class: "once secret", key: "once" },
        h("strong", null, "Its secret, shown only now:"),
        h("code", null, state.newSecret.secret),
      ),
  );
}

/** @param {SubscriptionSummary} known */
function failure({ status, failing_since, closes_at, last_failure, next_at }) {
  const clock = integratorBy(state.client);
  if (status === "CLOSED") {
    return h(
      "p",
      { class: "hint bad", key: "closed" },
      "Closed: it answered 410, or failed for 5 days. Registering it again opens it.",
    );
  }
  if (failing_since === null || closes_at === null || clock === undefined) return null;
  const since = Math.max(0, (Date.parse(clock.now) - Date.parse(failing_since)) / 1000);
  return h(
    "p",
    { class: "hint bad", key: "failing" },
    `Failing for ${duration(since)}, since ${moment(failing_since, clock)}`,
    last_failure && `: ${outcomeWords(last_failure)}`,
    ". ",
    next_at && ["Next try at ", h("strong", null, moment(next_at, clock)), ". "],
    `Closed on ${moment(closes_at, clock)} if it goes on.`,
  );
}

/** @param {SubscriptionSummary} known */
function about({ is_inbox, is_forwarded, description, event_types, created_at }) {
  const what = is_inbox
    ? "the sandbox's own inbox"
    : is_forwarded
      ? "forwarded to by npm run serve"
      : description;
  const since = `since ${moment(created_at, integratorBy(state.client))}`;
  return h(
    "p",
    { class: "quiet", title: event_types.join(", ") },
    [what, counted(event_types.length, "kind"), since].filter(Boolean).join(" · "),
  );
}

/** @param {SubscriptionSummary} known */
function numbers({ id, events }) {
  /** @type {[name: string, count: number, sent: string][]} */
  const shown = [
    ["delivered", events.delivered, "DELIVERED"],
    ["waiting", events.waiting, "PENDING"],
    ["given up", events.failed, "FAILED"],
    ["cancelled", events.cancelled, "CANCELLED"],
  ];
  return h(
    "ul",
    { class: "numbers" },
    shown.map(([name, count, sent]) =>
      h(
        "li",
        { key: name },
        h(
          "a",
          { href: "#/events", onclick: () => narrow("events", { webhook_id: id, state: sent }) },
          h("strong", null, count.toLocaleString("en-GB")),
          ` ${name}`,
        ),
      ),
    ),
  );
}

/** @param {SubscriptionSummary} known */
function actions({ id, status }) {
  const isActive = status === "ACTIVE";
  const test = () => actForClient("The test event is on its way", (client) => api.testAddress(client, id));
  const rotate = () =>
    actForClient("The secret is a new one", async (client) => {
      change({ newSecret: await api.rotateSecret(client, id) });
    });
  const remove = () =>
    actForClient("The address is deleted", async (client) => {
      await api.deleteAddress(client, id);
      change({ deleting: undefined });
    });
  return h(
    "div",
    { class: "buttons" },
    h("button", { type: "button", onclick: test, disabled: !isActive }, "Send test event"),
    h("button", { type: "button", onclick: rotate }, "Rotate secret"),
    state.deleting === id
      ? [
          h("button", { type: "button", class: "danger", onclick: remove, key: "sure" }, "Really delete"),
          h(
            "button",
            { type: "button", onclick: () => change({ deleting: undefined }), key: "keep" },
            "Keep it",
          ),
        ]
      : h("button", { type: "button", onclick: () => change({ deleting: id }), key: "delete" }, "Delete"),
    h(
      "details",
      { class: "again", key: "again" },
      h("summary", null, "Send again…"),
      sendAgainForm(id, isActive),
    ),
  );
}

/**
 * @param {string} id
 * @param {boolean} isActive
 */
function sendAgainForm(id, isActive) {
  const again = submitting((entered) => {
    const at = new Date(String(entered.get("since")));
    actForClient("Sent again", async (client) => {
      const { events } = await api.redeliver(client, { webhook_id: id, since: at.toISOString() });
      return `${counted(events, "event is", "events are")} being sent again`;
    });
  });
  return h(
    "form",
    { class: "inline", onsubmit: again },
    h(
      "label",
      null,
      h("span", null, "All events since"),
      h("input", { type: "datetime-local", name: "since", step: 1, required: true, value: hourAgo() }),
    ),
    h("button", { type: "submit", disabled: !isActive }, "Send again"),
  );
}

/** On the integrator's clock, as a field for local times takes it; empty as long as that isn't known. */
function hourAgo() {
  const now = integratorBy(state.client)?.now;
  if (now === undefined) return "";
  const at = new Date(now);
  return new Date(at.getTime() - 3_600_000 - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
