/** An integrator that sends requests to a measured server as fast as it responds. */
import type { Client } from "openapi-fetch";
import { Pool } from "undici";
import type { paths as ControlPaths } from "../../../openapi/generated/control.ts";
import type { components, paths } from "../../../openapi/generated/courier-dispatch.ts";
import { apiClient, bodyOf } from "../api-client.ts";
import type { ServerProcess } from "./server.ts";

type NewDelivery = components["schemas"]["NewDelivery"];

interface Integrator {
  readonly token: string;
  readonly api: Client<paths>;
}

/** @throws if the server refuses a request */
export async function openIntegrator(server: ServerProcess): Promise<Integrator> {
  const control = apiClient<ControlPaths>(server.controlUrl, server.controlToken);
  const { client_id, client_secret } = bodyOf(await control.POST("/integrators", { body: {} }));
  const grant = { grant_type: "client_credentials", client_id, client_secret } as const;
  const granted = bodyOf(await apiClient<paths>(server.url, "none").POST("/oauth/token", { body: grant }));
  const api = apiClient<paths>(server.url, granted.access_token);
  const { pairing_code } = bodyOf(await control.POST("/pairing-codes", { body: {} }));
  const address = { text: "Sultanahmet Meydanı 1", lat: 41.0082, lng: 28.9784 };
  const store = { external_store_id: "s1", pairing_code, name: "Moda Mutfak", address };
  bodyOf(await api.POST("/v1/stores", { body: store }));
  return { token: granted.access_token, api };
}

const newDelivery = (external_ref: string): NewDelivery => ({
  external_ref,
  store: { external_store_id: "s1" },
  customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23" },
  dropoff: { text: "Divanyolu Caddesi 12", lat: 41.02, lng: 28.99 },
  payment: { type: "NAKIT", amount_due: 245.5 },
});

/** @throws if the delivery is refused */
export async function createDelivery(api: Client<paths>): Promise<components["schemas"]["Delivery"]> {
  const reference = crypto.randomUUID();
  const header = { "Idempotency-Key": reference };
  return bodyOf(await api.POST("/v1/deliveries", { params: { header }, body: newDelivery(reference) }));
}

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const readRequests = (token: string, path: string) => (): LoadRequest => ({
  method: "GET",
  path,
  headers: { authorization: `Bearer ${token}` },
});

export const creationRequests = (token: string) => (): LoadRequest => {
  const reference = crypto.randomUUID();
  const headers = { "content-type": "application/json", "idempotency-key": reference };
  return {
    method: "POST",
    path: "/v1/deliveries",
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify(newDelivery(reference)),
  };
};

/** The number of connections. Each sends one request at a time. */
const CONNECTIONS = 16;

/**
 * Sends requests on all connections.
 * @returns the duration in seconds
 * @throws if the server refuses a request
 */
export async function sendRequests(url: string, count: number, request: () => LoadRequest): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      sent += 1;
      const { statusCode, body } = await pool.request(request());
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`response ${statusCode}: ${text.slice(0, 200)}`);
    }
  };
  const begin = performance.now();
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    return (performance.now() - begin) / 1000;
  } finally {
    await pool.close();
  }
}
