/** Reporting what happened to a delivery, in the transaction that made it happen (specification, Events). */
import type { Tx } from "../database/schema.ts";
import type { Parts } from "../parts.ts";
import type { Delivery, DeliveryEventKind } from "./model.ts";

export type Emit = (parts: Parts, tx: Tx, delivery: Delivery, kind: DeliveryEventKind) => Promise<void>;

/** Keeps the event with the delivery as GET shows it now. */
export const emit: Emit = async (parts, tx, delivery, kind) => {
  await parts.records.events.insert(tx, {
    id: parts.ids.uuid(),
    integrator_id: delivery.integrator_id,
    delivery_id: delivery.id,
    type: kind,
    version: delivery.version,
    occurred_at: delivery.updated_at,
    data: JSON.stringify(parts.views.delivery(parts, delivery)),
  });
};
