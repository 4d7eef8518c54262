/**
 * Deletes old idempotency keys and events, by their integrator's clock. The specification doesn't define the
 * lifetime of a key.
 */
import { setImmediate } from "node:timers/promises";
import type { Dependencies } from "../dependencies.ts";

const day = 24 * 3_600_000;

/** Events are kept after their last attempt, so that the operator can look them up. */
const retention = { idempotencyMs: 7 * day, eventsMs: 30 * day };

/** Rows per deletion, so that other transactions get the database in between. */
const batch = 500;

/** Deletes expired rows. */
export async function purge(deps: Dependencies): Promise<void> {
  const { deleteKeys, deleteEvents } = deps.records.retention;
  const now = deps.clock.now();
  await inBatches((rows) => deps.transaction((tx) => deleteKeys(tx, now - retention.idempotencyMs, rows)));
  await inBatches((rows) => deps.transaction((tx) => deleteEvents(tx, now - retention.eventsMs, rows)));
}

async function inBatches(forget: (rows: number) => Promise<number>): Promise<void> {
  while ((await forget(batch)) === batch) await setImmediate();
}
