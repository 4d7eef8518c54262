/** The console's interface, as its pages call it. */
import type { Agent } from "supertest";
import { type Account, type Reachable, withToken } from "../../reference-server/testing/accounts.ts";
import type { SentEventSummary } from "../console/types.ts";

export function consoleOf(server: Reachable): Agent {
  return withToken(`${server.url}/console/api`, server.controlToken);
}

/** Has simulated couriers take the integrator's deliveries, or leave them. */
export async function giveCouriers(console: Agent, { clientId }: Account, simulated = true): Promise<void> {
  await console.patch(`/integrators/${clientId}`).send({ simulated }).expect(204);
}

/** What was sent to the integrator's addresses: an event and an address each. */
export async function sentTo(console: Agent, { clientId }: Account): Promise<SentEventSummary[]> {
  const { body } = await console.get(`/integrators/${clientId}/sent?limit=200`).expect(200);
  return body.items;
}
