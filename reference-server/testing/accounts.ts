/** Creates integrators for the server's own tests. */
import { randomUUID } from "node:crypto";
import supertest, { type Agent, type Response, type Test } from "supertest";
import type { RunningServer } from "../embedded.ts";
import { order, store } from "./orders.ts";

/** A server, in this process or another. */
export type Reachable = Pick<RunningServer, "url" | "controlUrl" | "controlToken">;

export interface Account {
  readonly clientId: string;
  readonly token: string;
  /** Requests to the service with this integrator's token. */
  readonly api: Agent;
  /** Requests to the control interface. */
  readonly control: Agent;
}

/**
 * An HTTP client for `url` with this token. With null, the token is the text `null`, which every server
 * refuses.
 */
export function withToken(url: string, token: string | null): Agent {
  return supertest.agent(url).set("authorization", `Bearer ${token}`);
}

export async function openAccount(server: Reachable): Promise<Account> {
  const { body: credentials } = await withToken(server.controlUrl, server.controlToken)
    .post("/integrators")
    .send({})
    .expect(201);
  const { body: granted } = await supertest(server.url)
    .post("/oauth/token")
    .send({ grant_type: "client_credentials", ...credentials })
    .expect(200);
  return accountAt(server, { clientId: credentials.client_id, token: granted.access_token });
}

/** An existing integrator, for requests to this instance of the service. */
export function accountAt(server: Reachable, who: Pick<Account, "clientId" | "token">): Account {
  return {
    clientId: who.clientId,
    token: who.token,
    api: withToken(server.url, who.token),
    control: withToken(server.controlUrl, server.controlToken),
  };
}

/** Links a restaurant as store `s1`. */
export async function linkStore({ api, control }: Account): Promise<Response> {
  const { body } = await control.post("/pairing-codes").send({}).expect(201);
  return api.post("/v1/stores").send(store(body.pairing_code)).expect(201);
}

/** Creates a delivery with a new idempotency key. */
export function createDelivery({ api }: Account, ref: string, more: object = {}): Test {
  return api.post("/v1/deliveries").set("idempotency-key", randomUUID()).send(order(ref, more));
}

export function actAsCourier(
  { control }: Account,
  deliveryId: string,
  action: string,
  more: object = {},
): Test {
  return control.post(`/deliveries/${deliveryId}/courier`).send({ action, ...more });
}

export function advanceClock({ control, clientId }: Account, seconds: number): Test {
  return control.post(`/integrators/${clientId}/clock/advance`).send({ seconds });
}
