import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import type { Mutate } from "../mutant.ts";

/** A server that reports a change by other event types: none, several, or the wrong one. */
export const alterEventKinds =
  (kinds: (kind: DeliveryEventKind, delivery: Delivery) => readonly DeliveryEventKind[]): Mutate =>
  (deps) => ({
    ...deps,
    emit: async (current, tx, delivery, kind) => {
      for (const one of kinds(kind, delivery)) await deps.emit(current, tx, delivery, one);
    },
  });

export const replaceEventKind = (kind: DeliveryEventKind, ...others: readonly DeliveryEventKind[]): Mutate =>
  alterEventKinds((reported) => (reported === kind ? others : [reported]));

/** Emits an event without a change. */
export const emitEvent = (deps: Dependencies, delivery: Delivery, kind: DeliveryEventKind): Promise<void> =>
  deps.transaction((tx) => deps.emit(deps, tx, delivery, kind));
