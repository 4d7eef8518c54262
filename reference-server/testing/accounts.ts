/** Integrators at a server under test; the suites have a client of their own, which knows nothing of this one. */
import { randomUUID } from "node:crypto";
import supertest, { type Agent, type Response, type Test } from "supertest";
import type { RunningServer } from "../embedded.ts";
import { order, store } from "./orders.ts";

/** A server, in this process or another. */
export type Reachable = Pick<RunningServer, "url" | "controlUrl" | "controlToken">;

export interface Account {
  readonly clientId: string;
  readonly token: string;
  /** The service, asked with this integrator's token. */
  readonly api: Agent;
  /** The control interface. */
  readonly control: Agent;
}

/** Sends each request to `url` with this token; null, where a server has none, is no token that it takes. */
export function withToken(url: string, token: string | null): Agent {
  return supertest.agent(url).set("authorization", `Bearer ${token}`);
}

/** A new integrator with a token. */
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

/** An integrator as a server is asked by it; every instance of one service knows it by the same token. */
export function accountAt(server: Reachable, who: Pick<Account, "clientId" | "token">): Account {
  return {
    clientId: who.clientId,
    token: who.token,
    api: withToken(server.url, who.token),
    control: withToken(server.controlUrl, server.controlToken),
  };
}

/** Links a restaurant under the name `s1`. */
export async function linkStore({ api, control }: Account): Promise<Response> {
  const { body } = await control.post("/pairing-codes").send({}).expect(201);
  return api.post("/v1/stores").send(store(body.pairing_code)).expect(201);
}

/** Opens a delivery under a key of its own. */
export function createDelivery({ api }: Account, ref: string, more: object = {}): Test {
  return api.post("/v1/deliveries").set("idempotency-key", randomUUID()).send(order(ref, more));
}

/** Takes a step of the courier's life of a delivery. */
export function moveCourier(
  { control }: Account,
  deliveryId: string,
  action: string,
  more: object = {},
): Test {
  return control.post(`/deliveries/${deliveryId}/courier`).send({ action, ...more });
}

/** Moves the integrator's clock. */
export function advance({ control, clientId }: Account, seconds: number): Test {
  return control.post(`/integrators/${clientId}/clock/advance`).send({ seconds });
}
