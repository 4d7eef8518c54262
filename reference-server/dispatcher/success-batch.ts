/** Records concurrent successful webhook attempts in one transaction, because each commit waits for the disk. */
import { setImmediate } from "node:timers/promises";
import type { Dependencies } from "../dependencies.ts";
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

/** Resolves after the commit. Throws if the batch's transaction fails. */
export function recordSuccess(deps: Dependencies, success: Success): Promise<void> {
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
