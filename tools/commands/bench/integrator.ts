/** Someone to serve: an integrator with a store, made by the control interface of a server that is measured. */
import type { Client } from "openapi-fetch";
import type { paths as ControlPaths } from "../../../openapi/generated/control.ts";
import type { paths } from "../../../openapi/generated/courier-dispatch.ts";
import { apiClient, bodyOf } from "../api-client.ts";
import { type Delivery, order } from "./order.ts";
import type { ServerProcess } from "./processes.ts";

export interface Integrator {
  readonly token: string;
  readonly api: Client<paths>;
  readonly control: Client<ControlPaths>;
}

/** @throws where the server refuses any of it */
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
  return { token: granted.access_token, api, control };
}

/** Opens a delivery under a key of its own. @throws where it is refused */
export async function createDelivery(api: Client<paths>, external_ref: string): Promise<Delivery> {
  const header = { "Idempotency-Key": `key-of-${external_ref}` };
  return bodyOf(await api.POST("/v1/deliveries", { params: { header }, body: order(external_ref) }));
}
