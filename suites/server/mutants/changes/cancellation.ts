import type { AuthenticatedContext } from "../../../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { alterDelivery, asLocalTime } from "../operators/answers.ts";
import {
  acceptUnknownDelivery,
  alterRefusalCode,
  findDelivery,
  overwriteDelivery,
} from "../operators/deliveries.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";

/** True if the delivery's store is suspended or closed. */
async function hasStatus(
  { deps }: Pick<AuthenticatedContext, "deps">,
  { store_id }: { store_id: string },
  status: "suspended" | "closed",
): Promise<boolean> {
  const store = await deps.records.stores.findById(deps.database, store_id);
  return store?.status === status.toUpperCase();
}

export const cancellationMutants: Mutants = {
  "cancellation-without-cancelled-at": {
    fault: "cancelled_at isn't set if the courier search hasn't begun",
    breaks: [{ clause: "CANCEL-2", case: "without coordinates" }],
    caughtBy: ["cancellation.with-a-reason"],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) =>
        deps.revise(
          before,
          before.status === "RECEIVED" && kind === "delivery.cancelled"
            ? { ...change, cancelled_at: null }
            : change,
          stamp,
          kind,
        ),
    }),
  },
  "cancelled-at-is-created-at": {
    fault: "cancelled_at is the time of the creation",
    breaks: [{ clause: "CANCEL-2" }],
    caughtBy: ["list-filters.created-goes-by-the-creation"],
    mutate: alterDelivery(({ cancelled_at, created_at }) => ({ cancelled_at: cancelled_at && created_at })),
  },
  "cancelled-at-is-local-time": {
    fault: "cancelled_at is local time marked as UTC (Z)",
    breaks: [{ clause: "CANCEL-2" }],
    caughtBy: ["cancellation.with-a-reason"],
    mutate: alterDelivery(({ cancelled_at }) => ({ cancelled_at: asLocalTime(cancelled_at) })),
  },
  "cancellation-forgets-the-reason": {
    fault: "the reason of a cancellation isn't stored",
    breaks: [{ clause: "CANCEL-3" }],
    mutate: replaceOperation("cancelDelivery", (call, original) => original({ ...call, body: {} })),
  },
  "cancellation-requires-a-known-reason": {
    fault: "a cancellation accepts only reasons from a fixed list",
    breaks: [{ clause: "CANCEL-1" }],
    caughtBy: ["cancellation.with-a-reason"],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      if (call.body.reason !== "Müşteri vazgeçti") throw rejected("reason", "bilinmeyen neden");
      return original(call);
    }),
  },
  "cancellation-reason-is-coded": {
    fault: "cancel_reason is a code instead of the reason",
    breaks: [{ clause: "CANCEL-4" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      original({ ...call, body: { reason: "INTEGRATOR" } }),
    ),
  },
  "second-cancellation-is-accepted": {
    fault: "a cancelled delivery can be cancelled again",
    breaks: [{ clause: "STATE-27" }],
    caughtBy: ["cancellation.twice"],
    mutate: (deps) => {
      const { states, transitions } = deps.lifecycle;
      return {
        ...deps,
        lifecycle: {
          ...deps.lifecycle,
          states: { ...states, CANCELLED: { ...states.CANCELLED, final: false } },
          transitions: {
            ...transitions,
            cancel: { ...transitions.cancel, from: [...transitions.cancel.from, "CANCELLED"] },
          },
        },
      };
    },
  },
  "refused-cancellation-rewrites-the-reason": {
    fault: "a second cancellation is refused, but its reason is stored",
    breaks: [{ clause: "CANCEL-5" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        await overwriteDelivery(call, call.path.id, { cancel_reason: call.body.reason ?? null });
        throw refusal;
      }),
    ),
  },
  "second-cancellation-returns-kurye-aldi": {
    fault: "a second cancellation returns KURYE_ALDI",
    breaks: [{ clause: "STATE-27" }],
    caughtBy: ["cancellation.twice"],
    mutate: alterRefusalCode("cancelDelivery", "SON_DURUM", "KURYE_ALDI"),
  },
  "cancellation-needs-an-active-store": {
    fault: "a delivery can't be cancelled while its store is suspended",
    breaks: [{ clause: "CANCEL-8" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      const { records, database } = call.deps;
      const delivery = await findDelivery(call);
      const store = delivery && (await records.stores.findById(database, delivery.store_id));
      if (store && store.status !== "ACTIVE") throw new DomainError("MAGAZA_PASIF");
      return original(call);
    }),
  },
  ...forEachElement(
    ["suspended", "closed"] as const,
    (status) => `${status}-stores-deliveries-are-not-read` as const,
    (status) => ({
      fault: `a delivery of a ${status} store isn't found by its id`,
      breaks: breaking(status, "DLV-99"),
      actual: "404",
      mutate: replaceOperation("getDelivery", async (call, original) => {
        const reply = await original(call);
        if (await hasStatus(call, reply.body, status)) throw new DomainError("BULUNAMADI");
        return reply;
      }),
    }),
  ),
  ...forEachElement(
    ["suspended", "closed"] as const,
    (status) => `${status}-stores-deliveries-are-not-listed` as const,
    (status) => ({
      fault: `a delivery of a ${status} store isn't in the list`,
      breaks: breaking(status, "DLV-99"),
      actual: "[",
      mutate: replaceOperation("listDeliveries", async (call, original) => {
        const reply = await original(call);
        const shown = [];
        for (const item of reply.body.items) if (!(await hasStatus(call, item, status))) shown.push(item);
        return { ...reply, body: { ...reply.body, items: shown } };
      }),
    }),
  ),
  "scheduled-delivery-is-cancelled-without-time": {
    fault: "the cancellation of a scheduled, prepaid delivery sets no cancelled_at",
    breaks: breaking("scheduled for tomorrow, prepaid", "CANCEL-2"),
    caughtBy: ["cancellation.with-a-reason"],
    mutate: alterDelivery(({ cancelled_at, prepaid, scheduled_for }) => ({
      cancelled_at: prepaid && scheduled_for !== null ? null : cancelled_at,
    })),
  },
  "cancellation-clears-the-notes": {
    fault: "the notes of a cancelled delivery are null",
    breaks: breaking(["with coordinates", "without coordinates"], "CANCEL-9"),
    mutate: alterDelivery(({ cancelled_at, notes }) => ({ notes: cancelled_at ? null : notes })),
  },
  "cancellation-clears-the-items": {
    fault: "a cancelled delivery has no items",
    breaks: breaking(
      ["with coordinates", "without coordinates", "scheduled for tomorrow, prepaid"],
      "CANCEL-9",
    ),
    mutate: alterDelivery(({ cancelled_at, items }) => ({ items: cancelled_at ? [] : items })),
  },
  "cancellation-clears-the-schedule": {
    fault: "scheduled_for of a cancelled delivery is null",
    breaks: breaking("scheduled for tomorrow, prepaid", "CANCEL-9"),
    mutate: alterDelivery(({ cancelled_at, scheduled_for }) => ({
      scheduled_for: cancelled_at ? null : scheduled_for,
    })),
  },
  "cancelling-an-unknown-delivery-answers-204": {
    fault: "cancelling an unknown delivery returns 204",
    breaks: [{ clause: "CANCEL-6" }],
    mutate: acceptUnknownDelivery("cancelDelivery"),
  },
  "cancelling-an-unknown-delivery-answers-409": {
    fault: "cancelling an unknown delivery returns SON_DURUM",
    breaks: [{ clause: "CANCEL-6" }],
    mutate: alterRefusalCode("cancelDelivery", "BULUNAMADI", "SON_DURUM"),
  },
};
