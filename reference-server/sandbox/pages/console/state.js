/** What the console knows, and the one way in which it changes: `change`, after which the page is drawn anew. */
import { byId } from "/pages/shared/dom.js";

/**
 * @import { components } from "../../../../openapi/generated/control.ts"
 * @import * as Shapes from "../../console/types.ts"
 *
 * What comes from the server is undefined until its first answer.
 * @typedef {object} State
 * @property {Shapes.Overview | undefined} overview
 * @property {Shapes.PairingCodeSummary[] | undefined} codes
 * @property {Shapes.DeliverySummary[] | undefined} deliveries
 * @property {Shapes.DeliveryDetail | null | undefined} delivery Null where there is no such delivery.
 * @property {Shapes.SubscriptionSummary[] | undefined} subscriptions
 * @property {Shapes.SentEventSummary[] | undefined} sent
 * @property {string | undefined} open The event whose attempts are open, as "event webhook".
 * @property {Shapes.SentEventDetail | undefined} attempts Those of `open`.
 * @property {{ client_id: string, status: string, text: string }} filter
 * @property {string | undefined} client Whose webhooks are shown.
 * @property {string} webhook
 * @property {Shapes.IntegratorCreated | undefined} newIntegrator Secrets that are shown once, as are those of `newCode`.
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
  subscriptions: undefined,
  sent: undefined,
  open: undefined,
  attempts: undefined,
  filter: { client_id: "", status: "", text: "" },
  client: undefined,
  webhook: "",
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

/** @param {Partial<State>} more */
export function change(more) {
  Object.assign(state, more);
  draw();
}

/** Where one is, by the address's fragment: `#/deliveries/ID`. */
export function place() {
  const [view = "deliveries", id] = location.hash.replace(/^#\//, "").split("/").filter(Boolean);
  return { view, id: id && decodeURIComponent(id) };
}

/** @type {number | undefined} */
let fading;

/**
 * Says something in passing, to eyes and screen readers alike.
 * @param {string} words
 */
export function say(words) {
  const said = byId("said");
  said.textContent = words;
  said.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => said.classList.remove("shown"), 4000);
}
