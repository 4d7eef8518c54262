/**
 * The browser's client for the console's API and the control interface. The token lives as long as the tab.
 */
import type { components } from "../../../openapi/generated/control.ts";
import type { Rejection } from "../../../reference-server/errors.ts";
import type * as Shapes from "../../console/types.ts";

type Control = components["schemas"];
type Items<T> = { items: T[] };

const tokenName = "courier-control-token";

export const token = {
  get: () => sessionStorage.getItem(tokenName),
  keep: (text: string) => sessionStorage.setItem(tokenName, text),
  forget: () => sessionStorage.removeItem(tokenName),
};

/** An error response, with a message for users. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, code?: string, details?: Partial<Rejection>) {
    super(wordsOf(status, code, details));
    this.status = status;
  }
}

const refusals: Record<string, string> = {
  KIMLIK_YOK: "The control token is missing.",
  GECERSIZ: "This isn't the control token.",
  DURUM_UYGUN_DEGIL: "The current state doesn't allow this.",
  BULUNAMADI: "The record no longer exists.",
  ABONELIK_SINIRI: "There are five active endpoints already.",
};

function wordsOf(status: number, code = "", details?: Partial<Rejection>): string {
  const words = refusals[code];
  if (words) return words;
  if (code === "DOGRULAMA")
    return `Invalid: ${details?.field ?? "the form"}: ${details?.reason ?? "invalid"}`;
  return `The server refused: ${status} ${code}`.trim();
}

/** Sends a request with the control token. @returns the parsed body; null without a body. @throws {Refusal} */
async function call<T>(
  method: string,
  path: string,
  body?: object,
  controlToken = token.get() ?? "",
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${controlToken}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? null : JSON.parse(text);
  if (!response.ok) throw new Refusal(response.status, answer?.error?.code, answer?.error?.details);
  return answer;
}

const pathOf = (...names: string[]) => names.map(encodeURIComponent).join("/");
const query = (filter: Record<string, string | undefined>) => {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

const get = <T>(path: string) => call<T>("GET", `/console/api/${path}`);
const post = <T>(path: string, body?: object) => call<T>("POST", `/console/api/${path}`, body);
/** A path below an integrator. */
const of = (client: string, ...names: string[]) => pathOf("integrators", client, ...names);

export const api = {
  signIn: (key: string) => post<{ control_token: string }>("sign-in", { key }),
  overview: (controlToken?: string) =>
    call<Shapes.Overview>("GET", "/console/api/overview", undefined, controlToken),
  setFaults: (change: Shapes.FaultChange) => call<null>("PUT", "/console/api/faults", change),
  codes: () => get<Items<Shapes.PairingCodeSummary>>("pairing-codes"),
  deliveries: (filter: Shapes.DeliveryFilter) =>
    get<Shapes.Page<Shapes.DeliverySummary>>(`deliveries${query(filter)}`),
  delivery: (id: string) => get<Shapes.DeliveryDetail>(pathOf("deliveries", id)),
  subscriptions: (client: string) => get<Items<Shapes.SubscriptionSummary>>(of(client, "webhooks")),
  requests: (filter: Shapes.RequestFilter) => get<Shapes.RequestPage>(`requests${query(filter)}`),
  request: (id: string) => get<Shapes.RequestDetail>(pathOf("requests", id)),
  sent: (client: string, filter: Shapes.SentEventFilter) =>
    get<Shapes.Page<Shapes.SentEventSummary>>(`${of(client, "sent")}${query(filter)}`),
  attempts: (client: string, event: string, webhook: string) =>
    get<Shapes.SentEventDetail>(of(client, "sent", event, webhook)),
  addIntegrator: (body: Shapes.IntegratorChange) => post<Shapes.IntegratorCreated>("integrators", body),
  changeIntegrator: (client: string, body: Shapes.IntegratorChange) =>
    call<null>("PATCH", `/console/api/${of(client)}`, body),
  addInbox: (client: string, body: { answer?: string }) => post<{ id: string }>(of(client, "inbox"), body),
  addEndpoint: (client: string, body: Shapes.NewSubscription) =>
    post<Shapes.SubscriptionSecret>(of(client, "webhooks"), body),
  testEndpoint: (client: string, id: string) =>
    post<{ event_id: string }>(of(client, "webhooks", id, "test")),
  rotateSecret: (client: string, id: string) =>
    post<Shapes.SubscriptionSecret>(of(client, "webhooks", id, "rotate")),
  deleteEndpoint: (client: string, id: string) =>
    call<null>("DELETE", `/console/api/${of(client, "webhooks", id)}`),
  redeliver: (client: string, body: Shapes.Redelivery) =>
    post<{ events: number }>(of(client, "redeliveries"), body),
  issueCode: (body: Control["NewPairingCode"]) =>
    call<Control["PairingCode"]>("POST", "/control/pairing-codes", body),
  advance: (client: string, seconds: number) =>
    call<Control["ClockReading"]>("POST", `/control/${of(client, "clock", "advance")}`, { seconds }),
  move: (delivery: string, body: Control["CourierMove"]) =>
    call<null>("POST", `/control/${pathOf("deliveries", delivery, "courier")}`, body),
};
