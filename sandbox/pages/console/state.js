/** What the console knows, and the one way in which it changes: `change`, after which the page is drawn anew. */
import { byId } from "/pages/shared/dom.js";

/**
 * @import { components } from "../../../openapi/generated/control.ts"
 * @import * as Shapes from "../../console/types.ts"
 *
 * What a list is narrowed by: names as the server has them, and `time` as a number of seconds until now, or "between" the
 * fields `from` and `to`, which are local.
 * @typedef {{ [name: string]: string }} Search
 *
 * @typedef {"deliveries" | "requests" | "events"} ListName
 *
 * What comes from the server is undefined until its first answer.
 * @typedef {object} State
 * @property {Shapes.Overview | undefined} overview
 * @property {Shapes.PairingCodeSummary[] | undefined} codes
 * @property {Shapes.Page<Shapes.DeliverySummary> | undefined} deliveries
 * @property {Shapes.DeliveryDetail | null | undefined} delivery Null where there is no such delivery.
 * @property {Shapes.RequestPage | undefined} requests
 * @property {Shapes.RequestDetail | null | undefined} request
 * @property {Shapes.SubscriptionSummary[] | undefined} subscriptions
 * @property {Shapes.Page<Shapes.SentEventSummary> | undefined} events
 * @property {Shapes.SentEventDetail | null | undefined} event
 * @property {Record<ListName, Search>} search
 * @property {Record<ListName, number>} offset How many come before what is shown of a list.
 * @property {string} question What the list that is shown was asked by.
 * @property {boolean} showsFilters On a phone, where they have to be asked for.
 * @property {string | undefined} client Whose webhooks and events are shown.
 * @property {Shapes.SubscriptionSecret | undefined} newSecret Shown once, as are those of `newIntegrator` and `newCode`.
 * @property {string | undefined} deleting The address that is deleted if that is confirmed.
 * @property {Shapes.IntegratorCreated | undefined} newIntegrator
 * @property {components["schemas"]["PairingCode"] | undefined} newCode
 * @property {string | undefined} problem Why nothing new comes in.
 * @property {string | undefined} refusal While signed out, why the last attempt failed.
 */

/** @type {State} */
export const state = {
  overview: undefined,
  codes: undefined,
  deliveries: undefined,
  delivery: undefined,
  requests: undefined,
  request: undefined,
  subscriptions: undefined,
  events: undefined,
  event: undefined,
  search: { deliveries: {}, requests: {}, events: {} },
  offset: { deliveries: 0, requests: 0, events: 0 },
  question: "",
  showsFilters: false,
  client: undefined,
  newSecret: undefined,
  deleting: undefined,
  newIntegrator: undefined,
  newCode: undefined,
  problem: undefined,
  refusal: undefined,
};

let draw = () => {};

/** @param {() => void} listener */
export function onChange(listener) {
  draw = listener;
}

/** Whether a button of the mouse is down. What moves away under it before it is up again is not clicked. */
let isPressed = false;
let isDrawingDue = false;

/** @param {Partial<State>} more */
export function change(more) {
  Object.assign(state, more);
  if (isPressed) isDrawingDue = true;
  else draw();
}

function release() {
  isPressed = false;
  if (!isDrawingDue) return;
  isDrawingDue = false;
  draw();
}

addEventListener("pointerdown", () => {
  isPressed = true;
});
// The click comes right after it.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release));
// Where it went up outside of the window nobody said so.
addEventListener("pointermove", ({ buttons }) => {
  if (isPressed && buttons === 0) release();
});

/** Where one is, by the address's fragment: `#/deliveries/ID`, `#/events/ID/ADDRESS`. */
export function place() {
  const [view = "deliveries", ...ids] = location.hash.replace(/^#\//, "").split("/").filter(Boolean);
  const [id, second] = ids.map(decodeURIComponent);
  return { view, id, second };
}

/**
 * What is known of an integrator, its clock among it.
 * @param {string | null | undefined} clientId
 */
export const integratorBy = (clientId) =>
  state.overview?.integrators.find(({ client_id }) => client_id === clientId);

/**
 * Says something in passing, to eyes and screen readers alike. It stays until somebody goes on: nobody reads by a clock.
 * @param {string} words
 */
export function say(words) {
  const said = byId("said");
  said.textContent = words;
  said.classList.add("shown");
}

for (const goingOn of ["pointerdown", "keydown"]) {
  addEventListener(goingOn, () => byId("said").classList.remove("shown"));
}
