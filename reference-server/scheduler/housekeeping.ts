/** Periodic work of an instance: takes over work of dead instances, and purges old records. */

import { setImmediate } from "node:timers/promises";
import type { Dependencies } from "../dependencies.ts";
import { isAdvancing, releaseClock } from "./advance.ts";

const day = 24 * 3_600_000;

/** Events are kept after their last attempt, so that the operator can look them up. */
const retention = { idempotencyMs: 7 * day, eventsMs: 30 * day };

/** Rows per deletion. Other transactions run in between. */
const batch = 500;

/**
 * Deletes old idempotency keys and events, by their integrator's clock. The specification doesn't define the
 * lifetime of a key.
 */
export async function purge(deps: Dependencies): Promise<void> {
  const { deleteKeys, deleteEvents } = deps.records.retention;
  const now = deps.clock.now();
  await inBatches((rows) => deps.transaction((tx) => deleteKeys(tx, now - retention.idempotencyMs, rows)));
  await inBatches((rows) => deps.transaction((tx) => deleteEvents(tx, now - retention.eventsMs, rows)));
}

async function inBatches(deleteRows: (rows: number) => Promise<number>): Promise<void> {
  while ((await deleteRows(batch)) === batch) await setImmediate();
}

/** Real time between two rounds. */
const roundMs = 1000;
/** Rounds from one purge to the next. */
const purgeRounds = 600;

export class Housekeeping {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #rounds = 0;
  /** True if the previous round failed. A lasting fault is reported once. */
  #isFaulty = false;
  #isStopped = false;

  /** Takes over work of dead instances, rejects if the takeover fails, and starts the periodic rounds. */
  async start(deps: Dependencies): Promise<void> {
    await takeOver(deps);
    this.#wait(deps);
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #wait(deps: Dependencies): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#runRound(deps).finally(() => this.#wait(deps));
    }, roundMs).unref();
  }

  async #runRound(deps: Dependencies): Promise<void> {
    this.#rounds += 1;
    try {
      await takeOver(deps);
      await deps.dispatcher.sweep();
      if (this.#rounds % purgeRounds === 0) await purge(deps);
      this.#isFaulty = false;
    } catch (error) {
      if (!this.#isFaulty) deps.reportFault(error);
      this.#isFaulty = true;
    }
  }
}

/** Takes over work of dead instances: attempts in progress, and clocks that they froze. */
async function takeOver(deps: Dependencies): Promise<void> {
  const { clocks, outbox } = deps.records;
  const leaseholders = await outbox.leaseholders(deps.database);
  const frozen = await clocks.frozen(deps.database);
  const others = [...leaseholders, ...frozen.map(({ clock_moved_by }) => clock_moved_by)].some(
    (instance) => instance !== deps.instances.id,
  );
  // The present instances are read after the leaseholders: an instance that joins in between then counts as present.
  const present = new Set<string | null>(others ? await deps.instances.present() : [deps.instances.id]);
  for (const instance of leaseholders) {
    if (!present.has(instance)) await outbox.releaseAll(deps.database, instance);
  }
  for (const { id, clock_frozen_at, clock_moved_by } of frozen) {
    const isOwn = clock_moved_by === deps.instances.id;
    if (isOwn ? isAdvancing(id) : present.has(clock_moved_by)) continue;
    await releaseClock(deps, id, clock_moved_by, clock_frozen_at);
  }
}
