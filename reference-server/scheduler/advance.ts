/**
 * Advances one integrator's clock (control interface, "The clock"): the clock jumps from one due time to
 * the next, and is frozen while the due work runs.
 *
 * The database records which instance advances a clock. Meanwhile no other instance sends events or makes
 * timed changes for that integrator. The advance also waits for the attempts of other instances, and times
 * them out.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies, DueWork } from "../dependencies.ts";

/** The advance in progress of each clock. The next advance waits for it, and starts at the time that it reaches. */
const advances = new Map<string, Promise<unknown>>();

/** Poll interval in real time while another instance advances the clock. */
const pollMs = 20;

/** True while this process advances the integrator's clock. */
export function isAdvancing(integratorId: string): boolean {
  return advances.has(integratorId);
}

/**
 * Advances the integrator's clock by `ms` and returns its new time; undefined for an unknown integrator.
 * @param waitMs real time for which the frozen clock waits for an attempt's response
 */
export async function advance(
  deps: Dependencies,
  integratorId: string,
  ms: number,
  waitMs: number,
): Promise<number | undefined> {
  const before = advances.get(integratorId);
  const turn = Promise.resolve(before)
    .catch(() => {})
    .then(() => advanceNow(deps, integratorId, ms, waitMs));
  advances.set(integratorId, turn);
  try {
    return await turn;
  } finally {
    if (advances.get(integratorId) === turn) advances.delete(integratorId);
  }
}

async function advanceNow(
  deps: Dependencies,
  integratorId: string,
  ms: number,
  waitMs: number,
): Promise<number | undefined> {
  const { clocks } = deps.records;
  const mover = deps.instances.id;
  const start = await acquireClock(deps, integratorId);
  if (start === undefined) return undefined;
  const target = start + ms;
  let reached = start;
  let isOurs = true;
  try {
    // Attempts in progress end before the clock moves.
    await deps.dispatcher.drain(integratorId, waitMs);
    for (;;) {
      const due = await earliest(deps, integratorId);
      if (due === undefined || due.at > target) break;
      // Overdue work runs at the start of the advance: the clock never goes back.
      reached = Math.max(reached, due.at);
      await clocks.freeze(deps.database, integratorId, mover, reached);
      await due.work.run(deps, integratorId, reached, waitMs);
    }
    reached = target;
  } finally {
    isOurs = await releaseClock(deps, integratorId, mover, reached);
  }
  if (!isOurs) throw new Error("another instance has taken over this clock");
  return target;
}

/** Freezes the integrator's clock and returns its time. Waits while another instance advances it. */
async function acquireClock(deps: Dependencies, integratorId: string): Promise<number | undefined> {
  const { clocks, integrators, changeSequence } = deps.records;
  const mover = deps.instances.id;
  for (;;) {
    const start = await deps.transaction(async (tx) => {
      const setting = await clocks.acquire(tx, integratorId, mover);
      if (setting === undefined) return undefined;
      const now = deps.clock.timeOf(setting, deps.clock.now());
      // Waits for timed changes in progress.
      await changeSequence.takeNext(tx, integratorId, now);
      await clocks.freeze(tx, integratorId, mover, now);
      return now;
    });
    if (start !== undefined) return start;
    if ((await integrators.findById(deps.database, integratorId)) === undefined) return undefined;
    await pause(pollMs);
  }
}

/**
 * Lets the clock that `mover` froze run again from `at` on. Returns false if another instance has taken the
 * clock over.
 */
export async function releaseClock(
  deps: Dependencies,
  integratorId: string,
  mover: string | null,
  at: number,
): Promise<boolean> {
  const isRunning = await deps.transaction(async (tx) => {
    const offset = at - deps.clock.now();
    if (!(await deps.records.clocks.release(tx, integratorId, mover, offset))) return false;
    await deps.instances.notifyClockMoved(tx, integratorId);
    return true;
  });
  if (isRunning) await deps.dispatcher.resume(integratorId, at);
  deps.alarm.wake();
  return isRunning;
}

async function earliest(
  deps: Dependencies,
  integratorId: string,
): Promise<{ at: number; work: DueWork } | undefined> {
  let first: { at: number; work: DueWork } | undefined;
  for (const work of deps.dueWork) {
    const at = await work.next(deps, integratorId);
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, work };
  }
  return first;
}
