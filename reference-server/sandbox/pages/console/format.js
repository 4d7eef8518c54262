/** How times, durations and states are written. */
import { h } from "/pages/shared/dom.js";

/** @import { DeliveryDetail } from "../../console/types.ts" */

/** @param {string} text */
export const time = (text) =>
  new Date(text).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
/** @param {string} text */
export const dateTime = (text) =>
  new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/**
 * A length of time in its two largest units.
 * @param {number} seconds
 */
export function duration(seconds) {
  /** @type {[name: string, size: number][]} */
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) return "0 s";
  let left = Math.round(seconds);
  return units
    .slice(first, first + 2)
    .flatMap(([name, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count === 0 ? [] : [`${count} ${name}`];
    })
    .join(" ");
}

/** @type {Record<string, string>} */
const kinds = {
  DELIVERED: "good",
  RETURNED: "warn",
  RETURNING: "warn",
  FAILED: "bad",
  CANCELLED: "bad",
  CLOSED: "bad",
  ACTIVE: "good",
  RECEIVED: "plain",
  QUEUED: "plain",
  PENDING: "warn",
};

/**
 * A state as it is written, with a colour besides.
 * @param {string} status
 */
export function pill(status) {
  return h("span", { class: `pill ${kinds[status] ?? "busy"}` }, status.replaceAll("_", " "));
}

/** @type {Record<DeliveryDetail["actions"][number], string>} */
export const actionWords = {
  offered: "Offer to a courier",
  offer_lapsed: "Let the offer lapse",
  assigned: "Assign",
  at_pickup: "At the restaurant",
  picked_up: "Picked up",
  en_route: "On the way",
  arrived: "At the door",
  delivered: "Delivered",
  failed: "Failed",
  returning: "Take back",
  returned: "Returned",
};

/**
 * Whoever has no name is known by its client_id.
 * @param {{ name: string | null, client_id: string }} integrator
 */
export const nameOf = ({ name, client_id }) => name ?? client_id;
