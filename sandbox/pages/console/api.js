/** The console's and the control interface, as the browser calls them. The token lives as long as the tab. */

/**
 * @import { components } from "../../../openapi/generated/control.ts"
 * @import * as Shapes from "../../console/types.ts"
 * @import { Rejection } from "../../../reference-server/errors.ts"
 * @typedef {components["schemas"]} Control
 */

/**
 * @template T
 * @typedef {Promise<{ items: T[] }>} Items
 */

const tokenName = "courier-control-token";

export const token = {
  get: () => sessionStorage.getItem(tokenName),
  /** @param {string} text */
  keep: (text) => sessionStorage.setItem(tokenName, text),
  forget: () => sessionStorage.removeItem(tokenName),
};

/** A refusal, in words for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string | undefined} code
   * @param {Partial<Rejection> | undefined} details
   */
  constructor(status, code, details) {
    super(wordsOf(status, code, details));
    this.status = status;
  }
}

/** @type {Record<string, string>} */
const refusals = {
  KIMLIK_YOK: "The control token is missing.",
  GECERSIZ: "This isn't the control token.",
  DURUM_UYGUN_DEGIL: "Its state doesn't allow that any more.",
  BULUNAMADI: "It isn't there any more.",
  ABONELIK_SINIRI: "There are five active webhook addresses already.",
};

/** @type {(...refusal: ConstructorParameters<typeof Refusal>) => string} */
function wordsOf(status, code, details) {
  const words = refusals[code ?? ""];
  if (words) return words;
  if (code === "DOGRULAMA")
    return `Not taken: ${details?.field ?? "the form"}: ${details?.reason ?? "invalid"}`;
  return `The server refused: ${status} ${code ?? ""}`.trim();
}

/**
 * Sends a request with the control token; gives the parsed body, null for none. Throws a `Refusal`.
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<T>}
 */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${token.get() ?? ""}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? null : JSON.parse(text);
  if (!response.ok) throw new Refusal(response.status, answer?.error?.code, answer?.error?.details);
  return answer;
}

/** @param {string[]} names */
const pathOf = (...names) => names.map(encodeURIComponent).join("/");
/** @param {Record<string, string | undefined>} filter */
const query = (filter) => {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

export const api = {
  /** @type {(key: string) => Promise<{ control_token: string }>} */
  signIn: (key) => call("POST", "/console/api/sign-in", { key }),
  /** @type {() => Promise<Shapes.Overview>} */
  overview: () => call("GET", "/console/api/overview"),
  /** @type {(change: Shapes.FaultChange) => Promise<null>} */
  setFaults: (change) => call("PUT", "/console/api/faults", change),
  /** @type {() => Items<Shapes.PairingCodeSummary>} */
  codes: () => call("GET", "/console/api/pairing-codes"),
  /** @type {(filter: Shapes.DeliveryFilter) => Promise<Shapes.Page<Shapes.DeliverySummary>>} */
  deliveries: (filter) => call("GET", `/console/api/deliveries${query(filter)}`),
  /** @type {(id: string) => Promise<Shapes.DeliveryDetail>} */
  delivery: (id) => call("GET", `/console/api/${pathOf("deliveries", id)}`),
  /** @type {(client: string) => Items<Shapes.SubscriptionSummary>} */
  subscriptions: (client) => call("GET", `/console/api/${pathOf("integrators", client, "webhooks")}`),
  /** @type {(filter: Shapes.RequestFilter) => Promise<Shapes.RequestPage>} */
  requests: (filter) => call("GET", `/console/api/requests${query(filter)}`),
  /** @type {(id: string) => Promise<Shapes.RequestDetail>} */
  request: (id) => call("GET", `/console/api/${pathOf("requests", id)}`),
  /** @type {(client: string, filter: Shapes.SentEventFilter) => Promise<Shapes.Page<Shapes.SentEventSummary>>} */
  sent: (client, filter) =>
    call("GET", `/console/api/${pathOf("integrators", client, "sent")}${query(filter)}`),
  /** @type {(client: string, event: string, webhook: string) => Promise<Shapes.SentEventDetail>} */
  attempts: (client, event, webhook) =>
    call("GET", `/console/api/${pathOf("integrators", client, "sent", event, webhook)}`),
  /** @type {(body: Shapes.IntegratorChange) => Promise<Shapes.IntegratorCreated>} */
  addIntegrator: (body) => call("POST", "/console/api/integrators", body),
  /** @type {(client: string, body: Shapes.IntegratorChange) => Promise<null>} */
  changeIntegrator: (client, body) => call("PATCH", `/console/api/${pathOf("integrators", client)}`, body),
  /** @type {(client: string, body: { answer?: string }) => Promise<{ id: string }>} */
  addInbox: (client, body) => call("POST", `/console/api/${pathOf("integrators", client, "inbox")}`, body),
  /** @type {(client: string, body: Shapes.NewSubscription) => Promise<Shapes.SubscriptionSecret>} */
  addAddress: (client, body) =>
    call("POST", `/console/api/${pathOf("integrators", client, "webhooks")}`, body),
  /** @type {(client: string, id: string) => Promise<{ event_id: string }>} */
  testAddress: (client, id) =>
    call("POST", `/console/api/${pathOf("integrators", client, "webhooks", id, "test")}`),
  /** @type {(client: string, id: string) => Promise<Shapes.SubscriptionSecret>} */
  rotateSecret: (client, id) =>
    call("POST", `/console/api/${pathOf("integrators", client, "webhooks", id, "rotate")}`),
  /** @type {(client: string, id: string) => Promise<null>} */
  deleteAddress: (client, id) =>
    call("DELETE", `/console/api/${pathOf("integrators", client, "webhooks", id)}`),
  /** @type {(client: string, body: Shapes.Redelivery) => Promise<{ events: number }>} */
  redeliver: (client, body) =>
    call("POST", `/console/api/${pathOf("integrators", client, "redeliveries")}`, body),
  /** @type {(body: Control["NewPairingCode"]) => Promise<Control["PairingCode"]>} */
  issueCode: (body) => call("POST", "/control/pairing-codes", body),
  /** @type {(client: string, seconds: number) => Promise<Control["ClockReading"]>} */
  advance: (client, seconds) =>
    call("POST", `/control/${pathOf("integrators", client, "clock", "advance")}`, { seconds }),
  /** @type {(delivery: string, body: Control["CourierMove"]) => Promise<null>} */
  move: (delivery, body) => call("POST", `/control/${pathOf("deliveries", delivery, "courier")}`, body),
};
