/** One delivery: its courier's way, what it is, what happened to it, and moving it by hand. */
import { h } from "/pages/shared/dom.js";
import { map, placesAt, pointOf } from "/pages/shared/map.js";
import { api } from "./api.js";
import { code } from "./code.js";
import { actionWords, dateTime, moment, pill } from "./format.js";
import { submitting } from "./forms.js";
import { narrow } from "./lists.js";
import { act } from "./polling.js";
import { change, integratorBy, state } from "./state.js";

/**
 * @import { DeliveryDetail } from "../../console/types.ts"
 * @typedef {DeliveryDetail["delivery"]} Delivery
 */

/** @param {string} id */
export function deliveryDetail(id) {
  const { delivery: known } = state;
  const back = h("h1", { class: "back", key: "back" }, h("a", { href: "#/deliveries" }, "← All deliveries"));
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
    waiting(delivery),
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
 * What moves a delivery that nothing here moves.
 * @param {Delivery} delivery
 */
function waiting({ id, status, dropoff }) {
  if (status !== "RECEIVED") return null;
  const body = JSON.stringify({ dropoff: { text: dropoff.text, lat: 40.9702, lng: 29.0571 } });
  return h(
    "div",
    { class: "hint warn", key: "waiting" },
    h(
      "p",
      null,
      h("strong", null, "It waits for coordinates. "),
      "No courier is looked for until the drop-off has some: give it coordinates by PATCH, and it is QUEUED.",
    ),
    code(`PATCH /v1/deliveries/${id}\nContent-Type: application/json\n\n${body}`),
  );
}

/**
 * @param {Delivery} delivery
 * @param {DeliveryDetail["actions"]} actions
 */
function hand(delivery, actions) {
  /** @param {DeliveryDetail["actions"][number]} action */
  const move = (action) => act(`${actionWords[action]}: done`, () => api.move(delivery.id, { action }));
  const isTracked = delivery.courier !== null && isUnderWay(delivery);
  if (delivery.status === "RECEIVED" && actions.length === 0) return null;
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
function history({ history: events, client_id, delivery }) {
  const delivery_id = delivery.id;
  return h(
    "div",
    null,
    h("h3", null, "What happened"),
    h(
      "p",
      { class: "related" },
      h(
        "a",
        { href: "#/requests", onclick: () => narrow("requests", { client_id: "", delivery_id }) },
        "Its requests",
      ),
      h(
        "a",
        {
          href: "#/events",
          onclick: () => {
            change({ client: client_id });
            narrow("events", { delivery_id });
          },
        },
        "Its events",
      ),
    ),
    h(
      "ol",
      { class: "history" },
      events.map(({ event_id, type, version, at }) =>
        h(
          "li",
          { key: event_id },
          h("span", { class: "quiet" }, moment(at, integratorBy(client_id))),
          h(
            "a",
            {
              href: `#/events/${event_id}`,
              onclick: () => change({ client: client_id, events: undefined, event: undefined }),
            },
            type.replace("delivery.", "").replaceAll("_", " "),
          ),
          h("span", { class: "quiet" }, `v${version}`),
        ),
      ),
    ),
  );
}
