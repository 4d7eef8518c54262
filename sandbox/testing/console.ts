/** A client of the console's API. */
import type { Agent } from "supertest";
import { type Account, type Reachable, withToken } from "../../reference-server/testing/accounts.ts";
import type { SentEventSummary } from "../console/types.ts";

export function consoleOf(server: Reachable): Agent {
  return withToken(`${server.url}/console/api`, server.controlToken);
}

/** Switches simulated couriers on or off for the integrator. */
export async function giveCouriers(console: Agent, { clientId }: Account, simulated = true): Promise<void> {
  await console.patch(`/integrators/${clientId}`).send({ simulated }).expect(204);
}

/** The integrator's sent events, one entry per event and endpoint. */
export async function sentTo(console: Agent, { clientId }: Account): Promise<SentEventSummary[]> {
  const { body } = await console.get(`/integrators/${clientId}/sent?limit=200`).expect(200);
  return body.items;
}
