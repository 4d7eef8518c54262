/** A few lines to talk to a server under test; the suites have a client of their own, which knows nothing of this one. */
import type { RunningServer } from "../embedded.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; null where there is no body. */
  body: unknown;
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** Sends with these headers; bodies that aren't text already are sent as JSON. */
export function sender(base: string, always: Record<string, string> = {}): Send {
  return async (method, path, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...type, ...always, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  };
}

/** A server, in this process or another. */
export type Reachable = Pick<RunningServer, "url" | "controlUrl" | "controlToken">;

export interface Account {
  clientId: string;
  token: string;
  send: Send;
  control: Send;
}

/** A new integrator with a token. */
export async function openAccount(server: Reachable): Promise<Account> {
  const control = sender(server.controlUrl, { authorization: `Bearer ${server.controlToken}` });
  const credentials = (await control("POST", "/integrators", {})).body;
  const answer = await sender(server.url)("POST", "/oauth/token", {
    grant_type: "client_credentials",
    ...Object(credentials),
  });
  const token = text(answer.body, "access_token");
  const send = sender(server.url, { authorization: `Bearer ${token}` });
  return { clientId: text(credentials, "client_id"), token, send, control };
}

export const somewhere = { lat: 41.0082, lng: 28.9784 };

/** Links a restaurant under the name `s1`. */
export async function linkStore({ send, control }: Account): Promise<Answer> {
  const code = await control("POST", "/pairing-codes", {});
  return send("POST", "/v1/stores", {
    external_store_id: "s1",
    pairing_code: text(code.body, "pairing_code"),
    name: "Moda Mutfak",
    address: { text: "Sultanahmet Meydanı 1", ...somewhere },
  });
}

/** A body for POST /v1/deliveries that is queued at once. */
export function order(external_ref: string, more: object = {}): object {
  return {
    external_ref,
    store: { external_store_id: "s1" },
    customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23" },
    dropoff: { text: "Divanyolu Caddesi 12", lat: 41.02, lng: 28.99 },
    payment: { type: "NAKIT", amount_due: 245.5 },
    ...more,
  };
}

/** What stands at a path of names and indices in an answer. */
export function at(body: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), body);
}

function text(body: unknown, key: string): string {
  return String(at(body, key));
}
