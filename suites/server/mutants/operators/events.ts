import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutate } from "../mutant.ts";

/** The server that reports a change by other kinds of events: none, several, or the wrong one. */
export const alterEventKinds =
  (kinds: (kind: DeliveryEventKind, delivery: Delivery) => readonly DeliveryEventKind[]): Mutate =>
  (parts) => ({
    ...parts,
    emit: async (current, tx, delivery, kind) => {
      for (const one of kinds(kind, delivery)) await parts.emit(current, tx, delivery, one);
    },
  });

/** The server that reports changes of one kind otherwise. */
export const replaceEventKind = (kind: DeliveryEventKind, ...others: readonly DeliveryEventKind[]): Mutate =>
  alterEventKinds((reported) => (reported === kind ? others : [reported]));

/** Reports a delivery without anything having changed. */
export const emitEvent = (parts: Parts, delivery: Delivery, kind: DeliveryEventKind): Promise<void> =>
  parts.transaction(parts, (tx) => parts.emit(parts, tx, delivery, kind));
