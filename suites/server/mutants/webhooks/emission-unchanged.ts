import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import { type ErrorCode, rejected } from "../../../../reference-server/errors.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterProperty } from "../operators/documents.ts";
import { alterEventKinds, emitEvent } from "../operators/events.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";

/** A server whose fault uses the last reported delivery. */
const withLastDelivery = (fault: (last: () => Delivery | undefined) => Mutate): Mutate => {
  let last: Delivery | undefined;
  return compose(
    (deps) => ({
      ...deps,
      emit: (current, tx, delivery, kind) => {
        last = delivery;
        return deps.emit(current, tx, delivery, kind);
      },
    }),
    fault(() => last),
  );
};

/** A server that reports the delivery of a refused request. */
const reportRefusal = (
  operation: "updateDelivery" | "cancelDelivery",
  code: ErrorCode,
  kind: DeliveryEventKind,
): Mutate =>
  replaceOperation(operation, (call, original) =>
    onRefusal(code, original(call), async (refusal) => {
      const delivery = await findDelivery(call);
      if (delivery) await emitEvent(call.deps, delivery, kind);
      throw refusal;
    }),
  );

export const emissionUnchangedMutants: Mutants = {
  "invalid-creation-reported": {
    fault: "an order with 21 packages is refused, but emits delivery.created",
    breaks: [{ clause: "NEW-52" }],
    mutate: compose(
      alterProperty("NewDelivery", "package_count", { maximum: undefined }),
      alterCreation(async (call, create) => {
        if ((call.body.package_count ?? 1) <= 20) return create(call);
        const { records } = call.deps;
        const deliveries = { ...records.deliveries, insert: async () => true };
        await create({ ...call, deps: { ...call.deps, records: { ...records, deliveries } } });
        throw rejected("package_count", "en çok 20 olmalı");
      }),
    ),
  },
  "invalid-change-reported": {
    fault: "a change to 501 characters of notes is refused, but emits delivery.updated",
    breaks: [{ clause: "EMIT-10", case: "the creation, a refused and an accepted change" }],
    mutate: compose(
      alterProperty("DeliveryChange", "notes", { maxLength: undefined }),
      replaceOperation("updateDelivery", async (call, original) => {
        if ((call.body.notes ?? "").length <= 500) return original(call);
        const delivery = await findDelivery(call);
        if (delivery) await emitEvent(call.deps, delivery, "delivery.updated");
        throw rejected("notes", "en çok 500 karakter olmalı");
      }),
    ),
  },
  "second-reference-reported": {
    fault: "a creation with a used external_ref is refused, but emits an event for the existing delivery",
    breaks: [{ clause: "NEW-52" }],
    mutate: replaceOperation("createDelivery", (call, original, deps) =>
      onRefusal("EXTERNAL_REF_TEKRAR", original(call), async (refusal) => {
        const details: unknown = refusal.details;
        const id = typeof details === "object" && details !== null ? Reflect.get(details, "delivery_id") : "";
        const delivery = await deps.records.deliveries.find(deps.database, call.integrator.id, String(id));
        if (delivery) await emitEvent(call.deps, delivery, "delivery.created");
        throw refusal;
      }),
    ),
  },
  "refused-cancellation-reported": {
    fault: "a second cancellation is refused, but emits delivery.cancelled",
    breaks: [{ clause: "EMIT-10", case: "the refused requests after the cancellation" }],
    mutate: reportRefusal("cancelDelivery", "SON_DURUM", "delivery.cancelled"),
  },
  "change-after-the-end-reported": {
    fault: "a change of a cancelled delivery is refused, but emits delivery.updated",
    breaks: [{ clause: "EMIT-10", case: "the refused requests after the cancellation" }],
    mutate: reportRefusal("updateDelivery", "SON_DURUM", "delivery.updated"),
  },
  "cancellation-reported-as-change-too": {
    fault: "a cancellation emits delivery.updated and delivery.cancelled",
    breaks: [{ clause: "EMIT-7", case: "the accepted cancellation" }],
    caughtBy: ["emission.refused-change"],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.cancelled" && !test ? ["delivery.updated", kind] : [kind],
    ),
  },
  "out-of-area-change-reported": {
    fault: "an address outside the area is refused, but emits delivery.updated",
    breaks: [{ clause: "PATCH-6" }],
    caughtBy: ["emission.refused-address"],
    mutate: reportRefusal("updateDelivery", "HIZMET_DISI", "delivery.updated"),
  },
  "refused-change-after-pick-up-reported": {
    fault: "a change while the courier has the package is refused, but emits delivery.updated",
    breaks: [{ clause: "STATE-26" }],
    caughtBy: ["emission.refused-with-the-courier"],
    mutate: reportRefusal("updateDelivery", "KURYE_ALDI", "delivery.updated"),
  },
  "refused-cancellation-after-pick-up-reported": {
    fault: "a cancellation while the courier has the package is refused, but emits delivery.cancelled",
    breaks: [{ clause: "STATE-26" }],
    caughtBy: ["emission.refused-with-the-courier"],
    mutate: reportRefusal("cancelDelivery", "KURYE_ALDI", "delivery.cancelled"),
  },
  "reading-reported": {
    fault: "reading a delivery emits delivery.updated",
    breaks: [{ clause: "EMIT-11" }],
    mutate: replaceOperation("getDelivery", async (call, original) => {
      const reply = await original(call);
      const delivery = await findDelivery(call);
      if (delivery) await emitEvent(call.deps, delivery, "delivery.updated");
      return reply;
    }),
  },
  "quote-reported": {
    fault: "a quote emits delivery.offered for the latest delivery",
    breaks: [{ clause: "EMIT-11" }],
    mutate: withLastDelivery((last) =>
      replaceOperation("createQuote", async (call, original) => {
        const quote = await original(call);
        const delivery = last();
        if (delivery) await emitEvent(call.deps, delivery, "delivery.offered");
        return quote;
      }),
    ),
  },
  "repeat-reported": {
    fault: "a creation repeated with its key emits the events again",
    breaks: [{ clause: "IDEM-8" }],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const created = await original(call);
      const { integrator, deps } = call;
      const delivery = await deps.records.deliveries.find(deps.database, integrator.id, created.body.id);
      if (delivery && created.status === 200) await emitEvent(deps, delivery, "delivery.created");
      return created;
    }),
  },
};
