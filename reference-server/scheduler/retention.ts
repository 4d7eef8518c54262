/**
 * How long is kept what isn't a record of the service, by the clock of whoever it belongs to. How long an idempotency key
 * is remembered the specification leaves open; whoever repeats a creation does so within hours.
 */
import { setImmediate } from "node:timers/promises";
import type { Parts } from "../parts.ts";

const day = 24 * 3_600_000;

/** Events are kept long after their last attempt, so that one who asks what was sent can be told. */
const retention = { idempotencyMs: 7 * day, eventsMs: 30 * day };

/** Rows that are deleted at a time: whoever needs the database meanwhile gets it. */
const batch = 500;

/** Deletes what has been kept for long enough. */
export async function purge(parts: Parts): Promise<void> {
  const { deleteKeys, deleteEvents } = parts.records.retention;
  const now = parts.clock.now();
  await inBatches((rows) =>
    parts.transaction(parts, (tx) => deleteKeys(tx, now - retention.idempotencyMs, rows)),
  );
  await inBatches((rows) =>
    parts.transaction(parts, (tx) => deleteEvents(tx, now - retention.eventsMs, rows)),
  );
}

async function inBatches(forget: (rows: number) => Promise<number>): Promise<void> {
  while ((await forget(batch)) === batch) await setImmediate();
}
