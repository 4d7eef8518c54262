/** Records an attempt's outcome, and applies it to its event and its endpoint. */
import { setImmediate } from "node:timers/promises";
import type { Tx } from "../database/schema.ts";
import type { AttemptOutcome, Dependencies } from "../dependencies.ts";
import type { Attempt } from "../records/outbox.ts";

interface Success {
  attempt: Attempt;
  status: number;
}

interface Batch {
  successes: Success[];
  /** Resolves when all successes of the batch are committed. */
  written: Promise<void>;
}

/** The open batch of each server. */
const gathering = new WeakMap<Dependencies, Batch>();

/**
 * Records concurrent successful webhook attempts in one transaction, because each commit waits for the disk. Resolves
 * after the commit. Throws if the batch's transaction fails.
 */
function recordSuccess(deps: Dependencies, success: Success): Promise<void> {
  let batch = gathering.get(deps);
  if (batch === undefined) {
    const successes: Success[] = [];
    batch = { successes, written: writeSoon(deps, successes) };
    gathering.set(deps, batch);
  }
  batch.successes.push(success);
  return batch.written;
}

async function writeSoon(deps: Dependencies, successes: readonly Success[]): Promise<void> {
  await setImmediate();
  gathering.delete(deps);
  const { outbox, webhooks } = deps.records;
  await deps.transaction(async (tx) => {
    const answering = new Set<string>();
    for (const { attempt, status } of successes) {
      const { failures, due_at, webhook_id } = attempt;
      const delivered = { state: "DELIVERED", failures, due_at, outcome: String(status) };
      if (await outbox.settle(tx, attempt, delivered)) answering.add(webhook_id);
    }
    // Sorted, so that two servers can't deadlock.
    for (const webhookId of [...answering].toSorted()) await webhooks.succeeded(tx, webhookId);
  });
}

export const tooLate: AttemptOutcome = { fault: "not answered in time" };

/** The outcome of an attempt without a response. It contains no text from the receiver. */
export function faultOf(error: unknown): AttemptOutcome {
  if (!(error instanceof Error)) return { fault: "failed" };
  return { fault: "code" in error && typeof error.code === "string" ? error.code : error.constructor.name };
}

/**
 * Records the outcome, and returns whether the event was delivered. Throws if the database fails: the lease on the
 * event's outbox row then expires, and the event is sent again. Changes nothing if the event was cancelled meanwhile, or
 * if another instance recorded the attempt's timeout or claimed the event.
 */
export async function recordOutcome(
  deps: Dependencies,
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<boolean> {
  if ("status" in outcome && deps.retryPolicy.isSuccess(outcome.status)) {
    await recordSuccess(deps, { attempt, status: outcome.status });
    return true;
  }
  await deps.transaction((tx) => recordFailure(deps, tx, attempt, outcome));
  return false;
}

async function recordFailure(
  deps: Dependencies,
  tx: Tx,
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<void> {
  const { integrators, outbox, webhooks } = deps.records;
  const integrator = await integrators.findById(tx, attempt.integrator_id);
  if (integrator === undefined) throw new Error("the event has no integrator");
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  // Closing an endpoint is serialized with writing events for it.
  await deps.records.changeSequence.takeNext(tx, integrator.id, now);
  const failures = attempt.failures + 1;
  const retryAt = deps.retryPolicy.retryAt(deps.limits, failures, now);
  const isRecorded = await outbox.settle(tx, attempt, {
    state: retryAt === undefined ? "FAILED" : "PENDING",
    failures,
    due_at: retryAt ?? attempt.due_at,
    outcome: "status" in outcome ? String(outcome.status) : outcome.fault,
  });
  // A cancelled attempt doesn't count as a failure of the endpoint, which may have been reopened.
  if (!isRecorded) return;
  const failingSince = await webhooks.failed(tx, attempt.webhook_id, now);
  const gone = "status" in outcome && deps.retryPolicy.closesEndpoint(outcome.status);
  if (gone || deps.retryPolicy.givesUp(deps.limits, failingSince, now))
    await close(deps, tx, attempt.webhook_id);
}

/** Closes a failing endpoint and cancels its pending events. */
async function close(deps: Dependencies, tx: Tx, webhookId: string): Promise<void> {
  await deps.records.webhooks.setStatus(tx, webhookId, "CLOSED");
  await deps.records.outbox.cancel(tx, webhookId);
}
