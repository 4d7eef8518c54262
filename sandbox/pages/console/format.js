/** How times, durations, amounts and states are written. */
import { h } from "/pages/shared/dom.js";

/** @import { DeliveryDetail, IntegratorSummary, Outcome } from "../../console/types.ts" */

/** @param {string} text */
const time = (text) =>
  new Date(text).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
/** @param {string} text */
export const dateTime = (text) =>
  new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/**
 * The time, and the date too unless it is today's: always where the clock that it is of was moved.
 * @param {string} text
 * @param {Pick<IntegratorSummary, "ahead_s">} [clock]
 */
export function moment(text, clock) {
  const at = new Date(text);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday && (clock?.ahead_s ?? 0) === 0) return time(text);
  return `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time(text)}`;
}

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

/** @param {number} ms */
export const took = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms / 1000));

/** @param {number} count */
export const amount = (count) => count.toLocaleString("en-GB");

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [more]
 */
export const counted = (count, one, more = `${one}s`) => `${amount(count)} ${count === 1 ? one : more}`;

/** @param {number} bytes */
export const size = (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`);

/** @type {Record<string, string>} */
const kinds = {
  DELIVERED: "good",
  RETURNED: "warn",
  RETURNING: "warn",
  FAILED: "bad",
  FAILING: "bad",
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

/** @param {number} status */
export function statusPill(status) {
  const kind = status < 300 ? "good" : status < 400 ? "warn" : "bad";
  return h("span", { class: `pill code-pill ${kind}` }, String(status));
}

/** @type {Record<string, string>} */
const eventWords = { PENDING: "PENDING", FAILED: "GIVEN UP", CANCELLED: "NOT SENT" };

/**
 * How far an event has come, so that it doesn't look like the delivery's state: an arrow, and what was answered.
 * @param {{ state: string, outcome: Outcome | null }} event
 */
export function eventPill({ state, outcome }) {
  const words = eventWords[state] ?? `→ ${outcome?.text ?? "sent"}`;
  return h("span", { class: `pill code-pill ${kinds[state] ?? "busy"}` }, words);
}

/**
 * How an attempt ended, in words where there are some.
 * @param {Outcome} outcome
 */
export const outcomeWords = ({ text, words }) => words ?? (/^\d+$/.test(text) ? `it answered ${text}` : text);

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
