import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { redeliver } from "../console/commands.ts";
import { eventSearch } from "../records/search/event-search.ts";
import type { Sandbox } from "../state.ts";
import { clientIdOf } from "./client-id.ts";
import type { TriggeredEvent } from "./trigger.ts";

export interface EventAgain {
  /** The event's webhook-id. */
  readonly event_id: string;
  /** The integrator. Defaults to the first one. */
  readonly client_id?: string;
}

/** More endpoints than an integrator may have. */
const everyEndpoint = { limit: 100, offset: 0 };

/** Sends a past event again, with the same webhook-id, to each active endpoint that it went to. Throws BULUNAMADI. */
export async function sendAgain(
  deps: Dependencies,
  sandbox: Sandbox,
  wish: EventAgain,
): Promise<TriggeredEvent[]> {
  const clientId = clientIdOf(sandbox, wish.client_id);
  const { id } = await integratorOf(deps, clientId);
  const { items } = await eventSearch.find(deps.database, id, { eventId: wish.event_id }, everyEndpoint);
  if (items.length === 0) throw new DomainError("BULUNAMADI");
  const webhooks = await deps.records.webhooks.list(deps.database, id);
  const sent: TriggeredEvent[] = [];
  for (const { event_id, webhook_id, type, external_ref } of items) {
    const webhook = webhooks.find((one) => one.id === webhook_id && one.status === "ACTIVE");
    if (webhook === undefined) continue;
    await redeliver(deps, clientId, { webhook_id, event_id });
    sent.push({ id: event_id, type, external_ref, url: webhook.url });
  }
  return sent;
}
