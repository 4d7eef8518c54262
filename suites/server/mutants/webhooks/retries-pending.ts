import type { Database, Queryable } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutant } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterOutbox } from "../operators/webhooks.ts";

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

export const retriesPendingMutants = {
  "success-drops-other-retries": {
    fault: "a successful first attempt cancels the endpoint's pending retries",
    breaks: [{ clause: "RETRY-11" }],
    mutate: changeOnSuccess((failures) => failures === 0, { state: "CANCELLED" }),
  },
  "success-of-a-retry-drops-others": {
    fault: "a successful retry cancels the endpoint's other pending retries",
    breaks: [{ clause: "RETRY-12" }],
    mutate: changeOnSuccess((failures) => failures > 0, { state: "CANCELLED" }),
  },
  "success-hastens-other-retries": {
    fault: "a success sends the endpoint's pending retries immediately",
    breaks: [{ clause: "RETRY-11" }],
    mutate: changeOnSuccess(() => true, { due_at: 0 }),
  },
  "later-event-of-the-delivery-drops-retries": {
    fault: "delivery.updated cancels the pending retries of the delivery's earlier events",
    breaks: [{ clause: "RETRY-11" }],
    mutate: (deps) => ({
      ...deps,
      async emit(current, tx, delivery, kind) {
        const earlier = tx.selectFrom("events").select("id").where("delivery_id", "=", delivery.id);
        if (kind === "delivery.updated")
          await tx
            .updateTable("outbox")
            .set({ state: "CANCELLED" })
            .where("event_id", "in", earlier)
            .where("state", "=", "PENDING")
            .where("failures", ">", 0)
            .execute();
        await deps.emit(current, tx, delivery, kind);
      },
    }),
  },
  "rotation-restarts-schedules": {
    fault: "a rotation restarts the retry schedules of the endpoint's events",
    breaks: [{ clause: "RETRY-12" }],
    mutate: changeOnRotation((db, webhookId) => changeRetries(db, webhookId, { failures: 0 })),
  },
  "rotation-hastens-retries": {
    fault: "a rotation sends the endpoint's pending retries immediately",
    breaks: [{ clause: "RETRY-11" }],
    mutate: changeOnRotation((db, webhookId, now) => changeRetries(db, webhookId, { due_at: now })),
  },
  "rotation-allows-more-attempts": {
    fault: "a rotation allows more than eight attempts",
    breaks: [{ clause: "LIMIT-31" }],
    mutate: allowMoreAttempts,
  },
} satisfies Record<string, Mutant>;
