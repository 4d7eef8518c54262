import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutate } from "../mutant.ts";

/** A server that reports a change by other event types: none, several, or the wrong one. */
export const alterEventKinds =
  (kinds: (kind: DeliveryEventKind, delivery: Delivery) => readonly DeliveryEventKind[]): Mutate =>
  (parts) => ({
    ...parts,
    emit: async (current, tx, delivery, kind) => {
      for (const one of kinds(kind, delivery)) await parts.emit(current, tx, delivery, one);
    },
  });

/** A server that replaces one event type. */
export const replaceEventKind = (kind: DeliveryEventKind, ...others: readonly DeliveryEventKind[]): Mutate =>
  alterEventKinds((reported) => (reported === kind ? others : [reported]));

/** Emits an event without a change. */
export const emitEvent = (parts: Parts, delivery: Delivery, kind: DeliveryEventKind): Promise<void> =>
  parts.transaction(parts, (tx) => parts.emit(parts, tx, delivery, kind));
