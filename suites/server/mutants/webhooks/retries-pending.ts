import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import type { Database, Queryable } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import {
  COURIER_KINDS,
  LATER_KINDS,
  OPTIONAL_COURIER_KINDS,
} from "../../support/webhooks/delivery-events.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterOutbox } from "../operators/webhooks.ts";

/** Gives up the events of a type after their first failure. */
const giveUpKind =
  (kind: string): Mutate =>
  (deps) => {
    const ids = new Set<string>();
    const { events } = deps.records;
    const observed: Dependencies = {
      ...deps,
      records: {
        ...deps.records,
        events: {
          ...events,
          insert: (tx, row) => {
            if (row.type === kind) ids.add(row.id);
            return events.insert(tx, row);
          },
        },
      },
    };
    return alterOutbox(({ settle }) => ({
      settle(db, sending, settled) {
        const isGivenUp = settled.state === "PENDING" && ids.has(sending.event_id);
        return settle(db, sending, isGivenUp ? { ...settled, state: "FAILED" } : settled);
      },
    }))(observed);
  };

type Change = Readonly<{ state?: string; failures?: number; due_at?: number }>;

/** Changes the events that wait for a retry at an endpoint. */
async function changeRetries(db: Queryable, webhookId: string, change: Change): Promise<void> {
  await db
    .updateTable("outbox")
    .set(change)
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "PENDING")
    .where("failures", ">", 0)
    .execute();
}

/** A success at an endpoint changes other failed events. */
const changeOnSuccess = (isAffected: (failures: number) => boolean, change: Change) =>
  alterOutbox(({ settle }) => ({
    async settle(db, sending, settled) {
      const isWritten = await settle(db, sending, settled);
      if (settled.state === "DELIVERED" && isAffected(settled.failures))
        await changeRetries(db, sending.webhook_id, change);
      return isWritten;
    },
  }));

/** The delay before a retry depends on the failures of the endpoint's pending event that failed most. */
function delayByMostFailures(deps: Dependencies): Dependencies {
  const { delaysMs } = deps.limits.webhooks;
  const failures = new Map<string, Map<string, number>>();
  return alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      const ofEndpoint = failures.get(sending.webhook_id) ?? new Map<string, number>();
      failures.set(sending.webhook_id, ofEndpoint);
      if (settled.state === "PENDING") ofEndpoint.set(sending.event_id, settled.failures);
      else ofEndpoint.delete(sending.event_id);
      const most = Math.max(settled.failures, ...ofEndpoint.values());
      const longer = (delaysMs[most] ?? 0) - (delaysMs[settled.failures] ?? 0);
      return settle(db, sending, { ...settled, due_at: settled.due_at + longer });
    },
  }))(deps);
}

/** The delay before a retry depends on the failures of the endpoint since its last success. */
function countByEndpoint(deps: Dependencies): Dependencies {
  const { delaysMs } = deps.limits.webhooks;
  const counts = new Map<string, number>();
  return alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      const isSuccess = settled.state === "DELIVERED";
      const count = isSuccess ? 0 : (counts.get(sending.webhook_id) ?? 0) + 1;
      counts.set(sending.webhook_id, count);
      const longer = isSuccess ? 0 : (delaysMs[count] ?? 0) - (delaysMs[settled.failures] ?? 0);
      return settle(db, sending, { ...settled, due_at: settled.due_at + longer });
    },
  }))(deps);
}

/** A failure cancels the retries of the other failed events at its endpoint. */
const keepOnlyTheLatestRetry = alterOutbox(({ settle }) => ({
  async settle(db, sending, settled) {
    if (settled.state === "PENDING") await changeRetries(db, sending.webhook_id, { state: "CANCELLED" });
    return settle(db, sending, settled);
  },
}));

/** A rotation changes the failed events at its endpoint. */
const changeOnRotation = (change: (db: Database, webhookId: string, now: number) => Promise<void>) =>
  replaceOperation("rotateWebhookSecret", async (call, original) => {
    const reply = await original(call);
    await change(call.deps.database, call.path.id, call.now);
    return reply;
  });

/** After a rotation, an event gets three more attempts. */
function allowMoreAttempts(deps: Dependencies): Dependencies {
  const rotatedIds = new Set<string>();
  const observed = changeOnRotation(async (_, webhookId) => {
    rotatedIds.add(webhookId);
  })(deps);
  return alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      const isGivenUp = settled.state === "FAILED" && rotatedIds.delete(sending.webhook_id);
      const retried = { ...settled, state: "PENDING", failures: 5, due_at: settled.due_at + 60_000 };
      return settle(db, sending, isGivenUp ? retried : settled);
    },
  }))(observed);
}

/** An event of these types cancels the retries of its delivery's earlier events. */
const dropRetriesAt =
  (isDropping: (kind: string) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    async emit(current, tx, delivery, kind) {
      const earlier = tx.selectFrom("events").select("id").where("delivery_id", "=", delivery.id);
      if (isDropping(kind))
        await tx
          .updateTable("outbox")
          .set({ state: "CANCELLED" })
          .where("event_id", "in", earlier)
          .where("state", "=", "PENDING")
          .where("failures", ">", 0)
          .execute();
      await deps.emit(current, tx, delivery, kind);
    },
  });

/** Each event cancels the retries of its delivery's earlier events, also if these fail after it was emitted. */
function keepOnlyTheNewestOfADelivery(deps: Dependencies): Dependencies {
  const newest = new Map<string, string>();
  const deliveries = new Map<string, string>();
  const { events } = deps.records;
  const observed: Dependencies = {
    ...deps,
    records: {
      ...deps.records,
      events: {
        ...events,
        insert: (tx, row) => {
          if (row.delivery_id !== null) {
            newest.set(row.delivery_id, row.id);
            deliveries.set(row.id, row.delivery_id);
          }
          return events.insert(tx, row);
        },
      },
    },
  };
  const isReplaced = (eventId: string) => {
    const delivery = deliveries.get(eventId);
    return delivery !== undefined && newest.get(delivery) !== eventId;
  };
  return alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      const isGivenUp = settled.state === "PENDING" && isReplaced(sending.event_id);
      return settle(db, sending, isGivenUp ? { ...settled, state: "CANCELLED" } : settled);
    },
  }))(observed);
}

/** A mutant for each of these kinds of event, which is then sent only once. */
const neverRetried = <const Kind extends string>(kinds: readonly Kind[], clause: ClauseId, check: string) =>
  forEachElement(
    kinds,
    (kind) => `${kind}-is-not-retried`,
    (kind) => ({
      fault: `${kind} is given up if its first attempt fails`,
      breaks: [{ clause }],
      caughtBy: [check],
      mutate: giveUpKind(kind),
    }),
  );

export const retriesPendingMutants: Mutants = {
  "success-drops-other-retries": {
    fault: "a successful first attempt cancels the endpoint's pending retries",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: changeOnSuccess((failures) => failures === 0, { state: "CANCELLED" }),
  },
  "success-of-a-retry-drops-others": {
    fault: "a successful retry cancels the endpoint's other pending retries",
    breaks: [{ clause: "RETRY-12" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: changeOnSuccess((failures) => failures > 0, { state: "CANCELLED" }),
  },
  "success-hastens-other-retries": {
    fault: "a success sends the endpoint's pending retries immediately",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: changeOnSuccess(() => true, { due_at: 0 }),
  },
  "later-event-of-the-delivery-drops-retries": {
    fault: "delivery.updated cancels the pending retries of the delivery's earlier events",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: dropRetriesAt((kind) => kind === "delivery.updated"),
  },
  "newer-event-of-the-delivery-drops-retries": {
    fault: "a newer event of a delivery replaces the waiting retries of its earlier ones",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.courier-events"],
    mutate: (deps) => dropRetriesAt(() => true)(keepOnlyTheNewestOfADelivery(deps)),
  },
  "end-of-a-delivery-drops-retries": {
    fault: "a cancellation cancels the pending retries of the delivery's earlier events",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.second-attempt-goes-on"],
    mutate: dropRetriesAt((kind) => kind === "delivery.cancelled"),
  },
  "failures-counted-by-endpoint": {
    fault: "the delay before a retry depends on the failures of the endpoint, not of the event",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: countByEndpoint,
  },
  "delay-of-the-event-that-failed-most": {
    fault: "the delay before a retry depends on the endpoint's pending event with the most failures",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.other-events-go-on"],
    mutate: delayByMostFailures,
  },
  "endpoint-keeps-only-the-latest-retry": {
    fault: "an event that fails cancels the endpoint's other pending retries",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.other-events-go-on", "retries.second-attempts"],
    mutate: keepOnlyTheLatestRetry,
  },
  "rotation-restarts-schedules": {
    fault: "a rotation restarts the retry schedules of the endpoint's events",
    breaks: [{ clause: "RETRY-12" }],
    caughtBy: ["retries.rotation-goes-on"],
    mutate: changeOnRotation((db, webhookId) => changeRetries(db, webhookId, { failures: 0 })),
  },
  "rotation-hastens-retries": {
    fault: "a rotation sends the endpoint's pending retries immediately",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.rotation-goes-on"],
    mutate: changeOnRotation((db, webhookId, now) => changeRetries(db, webhookId, { due_at: now })),
  },
  "rotation-drops-pending-retries": {
    fault: "a rotation cancels the endpoint's pending retries",
    breaks: [{ clause: "RETRY-10" }],
    caughtBy: ["retries.second-attempt-goes-on"],
    mutate: changeOnRotation((db, webhookId) => changeRetries(db, webhookId, { state: "CANCELLED" })),
  },
  "rotation-allows-more-attempts": {
    fault: "a rotation allows more than eight attempts",
    breaks: [{ clause: "LIMIT-31" }],
    caughtBy: ["retries.rotation-goes-on"],
    mutate: allowMoreAttempts,
  },
  ...neverRetried(LATER_KINDS, "RETRY-10", "retries.second-attempt-goes-on"),
  ...neverRetried(COURIER_KINDS, "RETRY-10", "retries.courier-events"),
  ...neverRetried(OPTIONAL_COURIER_KINDS, "RETRY-10", "retries.offers-failures-and-returns"),
  ...neverRetried([LOCATION_KIND], "RETRY-32", "event-kinds.position-again"),
};
