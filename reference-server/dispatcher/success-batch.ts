/**
 * Writing down what was delivered, all of one moment together: a commit waits for the disk, which takes longer than
 * everything that is written, and an address that answers quickly would wait for it at every event.
 */
import { setImmediate } from "node:timers/promises";
import type { Parts } from "../parts.ts";
import type { Attempt } from "../records/outbox.ts";

/** An attempt that was answered with this status. */
interface Success {
  attempt: Attempt;
  status: number;
}

interface Batch {
  successes: Success[];
  /** Ends when all of them are committed. */
  written: Promise<void>;
}

/** What is still gathered, by server. */
const gathering = new WeakMap<Parts, Batch>();

/** Ends when it is committed. Throws where the database does, for all of the moment's successes alike. */
export function recordSuccess(parts: Parts, success: Success): Promise<void> {
  let batch = gathering.get(parts);
  if (batch === undefined) {
    const successes: Success[] = [];
    batch = { successes, written: writeSoon(parts, successes) };
    gathering.set(parts, batch);
  }
  batch.successes.push(success);
  return batch.written;
}

async function writeSoon(parts: Parts, successes: readonly Success[]): Promise<void> {
  await setImmediate();
  gathering.delete(parts);
  const { outbox, webhooks } = parts.records;
  await parts.transaction(parts, async (tx) => {
    const answering = new Set<string>();
    for (const { attempt, status } of successes) {
      const { failures, due_at, webhook_id } = attempt;
      const delivered = { state: "DELIVERED", failures, due_at, outcome: String(status) };
      if (await outbox.settle(tx, attempt, delivered)) answering.add(webhook_id);
    }
    // In one order everywhere, so that two servers can't wait for each other.
    for (const webhookId of [...answering].toSorted()) await webhooks.succeeded(tx, webhookId);
  });
}
