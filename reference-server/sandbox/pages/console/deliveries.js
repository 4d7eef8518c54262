/** Deliveries as they change, and one of them with its courier's way. */
import { h } from "/pages/shared/dom.js";
import { map, placesAt, pointOf } from "/pages/shared/map.js";
import { api } from "./api.js";
import { actionWords, dateTime, nameOf, pill, time } from "./format.js";
import { choosing, submitting } from "./forms.js";
import { act, refresh } from "./polling.js";
import { change, state } from "./state.js";

/**
 * @import { DeliveryDetail } from "../../console/types.ts"
 * @import { State } from "./state.js"
 * @typedef {DeliveryDetail["delivery"]} Delivery
 */

/** @param {string | undefined} id */
export function deliveriesView(id) {
  return h(
    "main",
    { class: id ? "split with-detail" : "split", id: "main", key: "deliveries" },
    h(
      "section",
      { class: "list-pane", "aria-labelledby": "deliveries-title" },
      h("div", { class: "pane-head" }, h("h1", { id: "deliveries-title" }, "Deliveries"), filters()),
      list(id),
    ),
    id ? detail(id) : h("section", { class: "detail-pane idle", key: "none" }, intro()),
  );
}

function filters() {
  /** @param {Partial<State["filter"]>} more */
  const filter = (more) => {
    change({ filter: { ...state.filter, ...more }, deliveries: undefined });
    void refresh();
  };
  const { client_id, status, text } = state.filter;
  const integrators = state.overview?.integrators ?? [];
  return h(
    "form",
    { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    h(
      "label",
      null,
      h("span", null, "Integrator"),
      h(
        "select",
        { value: client_id, onchange: choosing((chosen) => filter({ client_id: chosen })) },
        h("option", { value: "" }, "All"),
        integrators.map((known) =>
          h("option", { value: known.client_id, key: known.client_id }, nameOf(known)),
        ),
      ),
    ),
    h(
      "label",
      null,
      h("span", null, "Status"),
      h(
        "select",
        { value: status, onchange: choosing((chosen) => filter({ status: chosen })) },
        h("option", { value: "" }, "All"),
        (state.overview?.statuses ?? []).map((known) => h("option", { value: known, key: known }, known)),
      ),
    ),
    h(
      "label",
      null,
      h("span", null, "Order number"),
      h("input", { type: "search", value: text, oninput: choosing((typed) => filter({ text: typed })) }),
    ),
  );
}

/** @param {string | undefined} openId */
function list(openId) {
  const { deliveries } = state;
  if (deliveries === undefined) return h("p", { class: "empty", key: "loading" }, "Loading…");
  if (deliveries.length === 0) {
    const isFiltered = Object.values(state.filter).some(Boolean);
    const words = isFiltered
      ? "No delivery fits the filter."
      : "No delivery yet. Send the first one by POST /v1/deliveries.";
    return h("p", { class: "empty", key: "empty" }, words);
  }
  return h(
    "ul",
    { class: "rows", key: "rows" },
    deliveries.map((delivery) =>
      h(
        "li",
        { key: delivery.id },
        h(
          "a",
          {
            class: "row",
            href: `#/deliveries/${delivery.id}`,
            "aria-current": delivery.id === openId ? "true" : null,
          },
          h(
            "span",
            { class: "row-top" },
            h("strong", { class: "ref" }, delivery.external_ref),
            pill(delivery.status),
          ),
          h(
            "span",
            { class: "row-sub quiet" },
            h(
              "span",
              null,
              [delivery.store, delivery.courier ?? delivery.customer].filter(Boolean).join(" · "),
            ),
            h("span", null, `v${delivery.version} · ${time(delivery.updated_at)}`),
          ),
        ),
      ),
    ),
  );
}

function intro() {
  const scripts = state.overview?.simulator?.scripts ?? [];
  return h(
    "div",
    { class: "intro" },
    h("h2", null, "Choose a delivery to follow it"),
    h(
      "p",
      { class: "quiet" },
      "You see its courier's way, what happened when, and can move the courier by hand.",
    ),
    scripts.length > 0 && [
      h("h3", null, "Scripts for simulated couriers"),
      h("p", { class: "quiet" }, "Write one into a delivery's notes, in English or Turkish:"),
      h(
        "ul",
        { class: "scripts" },
        scripts.map(({ english, turkish }) =>
          h(
            "li",
            { key: english },
            h("code", null, `sim: ${english}`),
            h("span", { class: "quiet" }, turkish),
          ),
        ),
      ),
    ],
  );
}

/** @param {string} id */
function detail(id) {
  const { delivery: known } = state;
  const back = h("a", { class: "back", href: "#/deliveries", key: "back" }, "← All deliveries");
  if (known === null)
    return h(
      "section",
      { class: "detail-pane", key: id },
      back,
      h("p", { class: "empty" }, "There is no such delivery."),
    );
  if (known === undefined || known.delivery.id !== id) {
    return h("section", { class: "detail-pane", key: id }, back, h("p", { class: "empty" }, "Loading…"));
  }
  const { delivery, actions } = known;
  return h(
    "section",
    { class: "detail-pane", key: id, "aria-labelledby": "delivery-title" },
    back,
    h(
      "header",
      { class: "detail-head" },
      h("h2", { id: "delivery-title" }, `Order ${delivery.external_ref}`),
      h("span", { "aria-live": "polite" }, pill(delivery.status)),
      h("span", { class: "quiet" }, `version ${delivery.version}`),
    ),
    wayMap(known),
    hand(delivery, actions),
    h("div", { class: "columns" }, facts(known), history(known)),
  );
}

/** @param {DeliveryDetail} known */
function wayMap({ delivery, store, trail }) {
  const { courier, dropoff } = delivery;
  const name = courier?.name ?? "Courier";
  const at = pointOf(courier);
  const places = [
    ...placesAt("restaurant", store.name, store.at),
    ...placesAt("door", "Door", dropoff),
    ...placesAt("courier", name, at),
  ];
  const where = at === null ? "no courier yet" : `${name} at ${at.lat}, ${at.lng}`;
  const label =
    places.length === 0 ? "No point on the map is known yet." : `Map of the way from ${store.name}: ${where}`;
  return map({ places, trail, label });
}

/**
 * @param {Delivery} delivery
 * @param {DeliveryDetail["actions"]} actions
 */
function hand(delivery, actions) {
  /** @param {DeliveryDetail["actions"][number]} action */
  const move = (action) => act(`${actionWords[action]}: done`, () => api.move(delivery.id, { action }));
  const isTracked = delivery.courier !== null && isUnderWay(delivery);
  if (actions.length === 0 && !isTracked)
    return h("p", { class: "quiet", key: "hand" }, "Nothing moves it any more.");
  return h(
    "div",
    { class: "hand", key: "hand", role: "group", "aria-label": "Move by hand" },
    h("h3", null, "Move by hand"),
    h(
      "div",
      { class: "buttons" },
      actions.map((action) =>
        h("button", { type: "button", key: action, onclick: () => void move(action) }, actionWords[action]),
      ),
    ),
    isTracked && position(delivery),
  );
}

/** @param {Delivery} delivery */
function position({ id, courier, dropoff }) {
  const start = { lat: courier?.lat ?? dropoff.lat ?? "", lng: courier?.lng ?? dropoff.lng ?? "" };
  const report = submitting((entered) => {
    const location = { lat: Number(entered.get("lat")), lng: Number(entered.get("lng")) };
    void act("Position reported", () => api.move(id, { action: "courier_location", location }));
  });
  /**
   * @param {"lat" | "lng"} name
   * @param {string} words
   */
  const field = (name, words) =>
    h(
      "label",
      null,
      h("span", null, words),
      h("input", { name, type: "number", step: "any", required: true, value: start[name] }),
    );
  return h(
    "form",
    { class: "inline", onsubmit: report },
    field("lat", "Latitude"),
    field("lng", "Longitude"),
    h("button", { type: "submit" }, "Report position"),
  );
}

/** @param {DeliveryDetail} known */
function facts({ delivery, store }) {
  const { courier, customer, dropoff, payment, tracking_url } = delivery;
  /** @type {[name: string, value: string | null | undefined | false][]} */
  const rows = [
    ["Restaurant", `${store.name}, ${store.company}`],
    ["Courier", courier ? `${courier.name}, ${courier.plate}, ${courier.phone}` : "nobody yet"],
    ["Customer", [customer?.name, customer?.phone].filter(Boolean).join(", ") || "unknown"],
    ["Door", dropoff.text],
    [
      "Payment",
      `${payment.type}, ${delivery.prepaid ? "paid already" : `${payment.amount_due} TL at the door`}`,
    ],
    ["Notes", delivery.notes],
    ["Customer's note", customer?.note],
    ["Reason", delivery.failure_reason ?? delivery.cancel_reason],
    [
      "Expected at the door",
      isUnderWay(delivery) && delivery.eta_dropoff_at && dateTime(delivery.eta_dropoff_at),
    ],
    ["PIN", delivery.delivery_pin],
  ];
  const known = rows.filter(([, value]) => value);
  return h(
    "div",
    null,
    h("h3", null, "What it is"),
    h(
      "dl",
      { class: "facts" },
      known.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))),
    ),
    tracking_url &&
      h(
        "p",
        null,
        h(
          "a",
          { href: trackingPath(tracking_url), target: "_blank", rel: "noreferrer" },
          "Customer's tracking page",
        ),
      ),
  );
}

/** @param {Delivery} delivery */
const isUnderWay = ({ status }) => !["DELIVERED", "FAILED", "RETURNED", "CANCELLED"].includes(status);

/**
 * The page on this server, whatever the service is called outside.
 * @param {string} url
 */
const trackingPath = (url) => new URL(url).pathname.replace(/^.*\/t\//, "/t/");

/** @param {DeliveryDetail} known */
function history({ history: events, client_id }) {
  return h(
    "div",
    null,
    h("h3", null, "What happened"),
    h(
      "ol",
      { class: "history" },
      events.map(({ event_id, type, version, at }) =>
        h(
          "li",
          { key: event_id },
          h("span", { class: "quiet" }, time(at)),
          h(
            "a",
            {
              href: `#/webhooks/${event_id}`,
              onclick: () => change({ client: client_id, webhook: "", sent: undefined }),
            },
            type.replace("delivery.", "").replaceAll("_", " "),
          ),
          h("span", { class: "quiet" }, `v${version}`),
        ),
      ),
    ),
  );
}
