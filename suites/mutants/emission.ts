import type { Call } from "../../reference-server/call.ts";
import type { Delivery, DeliveryEventKind } from "../../reference-server/domain/model.ts";
import { rejected } from "../../reference-server/errors.ts";
import type { Parts } from "../../reference-server/parts.ts";
import { found } from "./delivery-faults.ts";
import { creation, property, together } from "./faults.ts";
import { answer, instead, refusedWith, without } from "./instead.ts";
import type { Mutant } from "./mutant.ts";
import { report, reportedAs, reporting } from "./reports.ts";

type Mutate = Mutant["mutate"];
type Update = Call<"updateDelivery">["body"];

/** The server that doesn't report a change of this. */
const keepsQuietOn = (changed: (body: Update) => boolean): Mutate =>
  instead("updateDelivery", (call, original) =>
    original(changed(call.body) ? { ...call, parts: { ...call.parts, emit: async () => {} } } : call),
  );

/** The server that shows the delivery in an event otherwise. */
const telling =
  (change: (delivery: Delivery, kind: DeliveryEventKind) => Partial<Delivery>): Mutate =>
  (parts) => ({
    ...parts,
    emit: (current, tx, delivery, kind) =>
      parts.emit(current, tx, { ...delivery, ...change(delivery, kind) }, kind),
  });

/** The server that does something with the delivery that it has reported last. */
const afterLast = (fault: (last: () => Delivery | undefined) => Mutate): Mutate => {
  let last: Delivery | undefined;
  return together(
    (parts) => ({
      ...parts,
      emit: (current, tx, delivery, kind) => {
        last = delivery;
        return parts.emit(current, tx, delivery, kind);
      },
    }),
    fault(() => last),
  );
};

export const emissionMutants = {
  "opening-unreported": {
    fault: "an opening with coordinates is reported as queued only",
    mutate: reporting((kind, { dropoff }) =>
      kind === "delivery.created" && dropoff.point !== null ? [] : [kind],
    ),
  },
  "search-unreported": {
    fault: "the search for a courier isn't reported at the opening",
    mutate: reporting((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at === null ? [] : [kind],
    ),
  },
  "opening-reported-twice": {
    fault: "an opening is reported by two events",
    mutate: reportedAs("delivery.created", "delivery.created", "delivery.created"),
  },
  "unlocated-opening-queued": {
    fault: "a delivery without coordinates is reported as queued",
    mutate: reporting((kind, { status, test }) =>
      kind === "delivery.created" && status === "RECEIVED" && !test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "unlocated-change-offered": {
    fault: "a delivery without coordinates is reported as offered with each change",
    mutate: reporting((kind, { status }) =>
      kind === "delivery.updated" && status === "RECEIVED" ? [kind, "delivery.offered"] : [kind],
    ),
  },
  "test-delivery-queued": {
    fault: "a test delivery with coordinates is reported as queued",
    mutate: reporting((kind, { test }) =>
      kind === "delivery.created" && test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "test-delivery-offered": {
    fault: "a test delivery is offered to a courier before it is cancelled",
    mutate: reporting((kind, { test }) =>
      kind === "delivery.cancelled" && test ? ["delivery.offered", kind] : [kind],
    ),
  },
  "test-delivery-opening-unreported": {
    fault: "a test delivery is reported only as cancelled",
    mutate: reporting((kind, { test }) => (kind === "delivery.created" && test ? [] : [kind])),
  },
  "test-delivery-cancellation-unreported": {
    fault: "a test delivery's cancellation isn't reported",
    mutate: reporting((kind, { test }) => (kind === "delivery.cancelled" && test ? [] : [kind])),
  },
  "address-change-unreported": {
    fault: "a new address without coordinates isn't reported",
    mutate: keepsQuietOn(({ dropoff }) => dropoff !== undefined),
  },
  "ready-time-change-unreported": {
    fault: "a new ready time isn't reported",
    mutate: keepsQuietOn(({ ready_at, notes }) => ready_at !== undefined && notes === undefined),
  },
  "note-change-unreported": {
    fault: "a new note isn't reported",
    mutate: keepsQuietOn(({ ready_at, notes }) => notes !== undefined && ready_at === undefined),
  },
  "schedule-change-unreported": {
    fault: "a new schedule isn't reported",
    mutate: keepsQuietOn(({ scheduled_for }) => scheduled_for !== undefined),
  },
  "change-reported-by-field": {
    fault: "a change of two fields is reported by two events",
    mutate: instead("updateDelivery", async (call, original, parts) => {
      const changed = await original(call);
      const delivery = await found(call);
      const fields = Object.keys(call.body).slice(1);
      for (const _ of fields) if (delivery) await report(parts, delivery, "delivery.updated");
      return changed;
    }),
  },
  "locating-reported-as-queued": {
    fault: "coordinates for a delivery that waits for them are reported as its search, and not as a change",
    mutate: (parts) => {
      const { transitions } = parts.lifecycle;
      const locate = { ...transitions.locate, event: "delivery.queued" } as const;
      return { ...parts, lifecycle: { ...parts.lifecycle, transitions: { ...transitions, locate } } };
    },
  },
  "cancellation-unreported": {
    fault: "a cancellation that the integrator asked for isn't reported",
    mutate: reporting((kind, { test }) => (kind === "delivery.cancelled" && !test ? [] : [kind])),
  },
  "cancellation-reported-twice": {
    fault: "a cancellation is reported by two events",
    mutate: reportedAs("delivery.cancelled", "delivery.cancelled", "delivery.cancelled"),
  },
  "invalid-creation-reported": {
    fault: "an order of 21 packages is reported as created before it is refused",
    mutate: together(
      property("NewDelivery", "package_count", { maximum: undefined }),
      creation(async (call, create) => {
        if ((call.body.package_count ?? 1) <= 20) return create(call);
        const { records } = call.parts;
        const deliveries = { ...records.deliveries, insert: async () => true };
        await create({ ...call, parts: { ...call.parts, records: { ...records, deliveries } } });
        throw rejected("package_count", "en çok 20 olmalı");
      }),
    ),
  },
  "invalid-change-reported": {
    fault: "a note of 501 characters is reported as a change before it is refused",
    mutate: together(
      property("DeliveryChange", "notes", { maxLength: undefined }),
      instead("updateDelivery", async (call, original) => {
        if ((call.body.notes ?? "").length <= 500) return original(call);
        const delivery = await found(call);
        if (delivery) await report(call.parts, delivery, "delivery.updated");
        throw rejected("notes", "en çok 500 karakter olmalı");
      }),
    ),
  },
  "second-reference-reported": {
    fault: "a creation with a reference that the store has already reports the delivery that has it",
    mutate: instead("createDelivery", (call, original, parts) =>
      refusedWith("EXTERNAL_REF_TEKRAR", original(call), async (refusal) => {
        const details: unknown = refusal.details;
        const id = typeof details === "object" && details !== null ? Reflect.get(details, "delivery_id") : "";
        const delivery = await parts.records.deliveries.find(parts.database, call.integrator.id, String(id));
        if (delivery) await report(call.parts, delivery, "delivery.created");
        throw refusal;
      }),
    ),
  },
  "refused-cancellation-reported": {
    fault: "a second cancellation is refused, and reported",
    mutate: instead("cancelDelivery", (call, original) =>
      refusedWith("SON_DURUM", original(call), async (refusal) => {
        const delivery = await found(call);
        if (delivery) await report(call.parts, delivery, "delivery.cancelled");
        throw refusal;
      }),
    ),
  },
  "reading-reported": {
    fault: "reading a delivery is reported as a change",
    mutate: instead("getDelivery", async (call, original) => {
      const shown = await original(call);
      const delivery = await found(call);
      if (delivery) await report(call.parts, delivery, "delivery.updated");
      return shown;
    }),
  },
  "quote-reported": {
    fault: "a quote is reported as an offer of the latest delivery",
    mutate: afterLast((last) =>
      instead("createQuote", async (call, original) => {
        const quote = await original(call);
        const delivery = last();
        if (delivery) await report(call.parts, delivery, "delivery.offered");
        return quote;
      }),
    ),
  },
  "repeat-reported": {
    fault: "a creation that is repeated with its key is reported again",
    mutate: instead("createDelivery", async (call, original) => {
      const created = await original(call);
      const { integrator, parts } = call;
      const delivery = await parts.records.deliveries.find(parts.database, integrator.id, created.body.id);
      if (delivery && created.status === 200) await report(parts, delivery, "delivery.created");
      return created;
    }),
  },
  "test-event-only-for-the-default-kinds": {
    fault: "webhook.test goes only to addresses that take more than one kind of event",
    mutate: instead("testWebhook", async (call, original) => {
      const { integrator, parts, path } = call;
      const webhook = await parts.records.webhooks.find(parts.database, integrator.id, path.id);
      return webhook && webhook.event_types.length < 2
        ? answer(202, { event_id: parts.ids.uuid() })
        : original(call);
    }),
  },
  "events-have-the-first-version": {
    fault: "data.version is 1 in every event",
    mutate: telling(() => ({ version: 1 })),
  },
  "cancellation-has-the-version-before": {
    fault: "delivery.cancelled has the version from before the cancellation",
    mutate: telling(({ version }, kind) => (kind === "delivery.cancelled" ? { version: version - 1 } : {})),
  },
  "webhook-without-collected-parts": {
    fault: "payment.collected_parts is left out of webhooks",
    mutate: (parts) => ({
      ...parts,
      emit: (current, tx, delivery, kind) => {
        const lacking =
          (view: Parts["views"]["delivery"]): Parts["views"]["delivery"] =>
          (...given) => {
            const shown = view(...given);
            return { ...shown, payment: without(shown.payment, "collected_parts") };
          };
        const views = { ...current.views, delivery: lacking(current.views.delivery) };
        return parts.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
  "webhook-without-loss": {
    fault: "loss is left out of webhooks",
    mutate: (parts) => ({
      ...parts,
      emit: (current, tx, delivery, kind) => {
        const { delivery: view } = current.views;
        const views = {
          ...current.views,
          delivery: (...given: Parameters<typeof view>) => without(view(...given), "loss"),
        };
        return parts.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
} satisfies Record<string, Mutant>;
