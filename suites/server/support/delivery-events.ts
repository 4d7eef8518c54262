import type { Schemas } from "../../core/document.ts";
import type { BaseContext } from "../check.ts";
import {
  type Attempt,
  deliveryOf,
  envelopeOf,
  kindOf,
  webhookId,
} from "../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";
import { cancelled, changed, opened } from "./deliveries.ts";

/** The kinds that {@link lived} makes: what an integrator alone can bring about. */
export const LIFE = [
  "delivery.created",
  "delivery.queued",
  "delivery.updated",
  "delivery.cancelled",
] as const;

/** Opens a delivery with coordinates, changes its note and cancels it; gives it as it is then. */
export async function lived(
  context: Pick<BaseContext, "api" | "order">,
  overrides?: Partial<Schemas["NewDelivery"]>,
): Promise<Schemas["Delivery"]> {
  const { id } = await opened(context, overrides);
  await changed(context.api, id, { notes: "Zile basmayın, kapıya bırakın" });
  return cancelled(context.api, id);
}

export const isAbout =
  (delivery: Pick<Schemas["Delivery"], "id">) =>
  (attempt: Attempt): boolean =>
    deliveryOf(attempt)?.id === delivery.id;

/** Waits until each of the kinds has arrived for a delivery. */
export async function arrived(
  inbox: Inbox,
  delivery: Pick<Schemas["Delivery"], "id">,
  kinds: readonly string[],
): Promise<void> {
  for (const kind of kinds) await arrival(inbox, delivery, kind);
}

/** Waits for an event of a delivery, and gives its attempt. */
export const arrival = (
  inbox: Inbox,
  delivery: Pick<Schemas["Delivery"], "id">,
  kind: string,
): Promise<Attempt> =>
  inbox.first(
    (attempt) => kindOf(attempt) === kind && isAbout(delivery)(attempt),
    `${kind} of ${delivery.id}`,
  );

/** Whether an attempt is of the event with this id, which is told of as its webhook-id or its envelope's (OPEN-171). */
export const isEvent =
  (id: string) =>
  (attempt: Attempt): boolean =>
    webhookId(attempt) === id || envelopeOf(attempt).id === id;
