/**
 * Letting time pass for one integrator (control interface, "The clock"): in jumps from one due time to the next, with
 * the clock standing still while what fell due is done.
 *
 * Which instance moves a clock stands in the database. While one does, no other sends or changes anything that is due for
 * that integrator; attempts that others have under way are waited for, and time out, as if they were its own.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { DueWork, Parts } from "../parts.ts";

/** Advances of one integrator's clock take turns, or two at once would both start from the same time. */
const advances = new Map<string, Promise<unknown>>();

/** While another instance moves the clock, real time between two looks. */
const pollMs = 20;

/** Whether this process is moving the integrator's clock. */
export function isAdvancing(integratorId: string): boolean {
  return advances.has(integratorId);
}

/**
 * Moves the integrator's clock ahead by `ms` and gives its time after that; undefined where there is no such one.
 * @param waitMs real time for which the clock stands still for an attempt's answer
 */
export async function advance(
  parts: Parts,
  integratorId: string,
  ms: number,
  waitMs: number,
): Promise<number | undefined> {
  const before = advances.get(integratorId);
  const turn = Promise.resolve(before)
    .catch(() => {})
    .then(() => advanceNow(parts, integratorId, ms, waitMs));
  advances.set(integratorId, turn);
  try {
    return await turn;
  } finally {
    if (advances.get(integratorId) === turn) advances.delete(integratorId);
  }
}

async function advanceNow(
  parts: Parts,
  integratorId: string,
  ms: number,
  waitMs: number,
): Promise<number | undefined> {
  const { clocks } = parts.records;
  const mover = parts.instances.id;
  const start = await acquireClock(parts, integratorId);
  if (start === undefined) return undefined;
  const target = start + ms;
  let shown = start;
  let isOurs = true;
  try {
    // What was under way before is answered at the time at which it was sent.
    await parts.dispatcher.drain(parts, integratorId, waitMs);
    for (;;) {
      const due = await earliest(parts, integratorId);
      if (due === undefined || due.at > target) break;
      // What was due before the advance is done at its start: the clock only goes forward.
      shown = Math.max(shown, due.at);
      await clocks.freeze(parts.database, integratorId, mover, shown);
      await due.work.run(parts, integratorId, shown, waitMs);
    }
    shown = target;
  } finally {
    isOurs = await releaseClock(parts, integratorId, mover, shown);
  }
  if (!isOurs) throw new Error("another instance took this clock over");
  return target;
}

/** Makes the integrator's clock stand, and gives where; waits where another instance is moving it. */
async function acquireClock(parts: Parts, integratorId: string): Promise<number | undefined> {
  const { clocks, integrators, changeSequence } = parts.records;
  const mover = parts.instances.id;
  for (;;) {
    const start = await parts.transaction(parts, async (tx) => {
      const setting = await clocks.acquire(tx, integratorId, mover);
      if (setting === undefined) return undefined;
      const now = parts.clock.of(setting, parts.clock.now());
      // Whoever is just changing what fell due in real time comes before.
      await changeSequence.takeNext(tx, integratorId, now);
      await clocks.freeze(tx, integratorId, mover, now);
      return now;
    });
    if (start !== undefined) return start;
    if ((await integrators.findById(parts.database, integratorId)) === undefined) return undefined;
    await pause(pollMs);
  }
}

/** The clock that `mover` made stand shows `at`, and runs from there; false where someone else did that before. */
export async function releaseClock(
  parts: Parts,
  integratorId: string,
  mover: string | null,
  at: number,
): Promise<boolean> {
  const isRunning = await parts.transaction(parts, async (tx) => {
    const offset = at - parts.clock.now();
    if (!(await parts.records.clocks.release(tx, integratorId, mover, offset))) return false;
    await parts.instances.notifyClockMoved(tx, integratorId);
    return true;
  });
  if (isRunning) await parts.dispatcher.resume(parts, integratorId, at);
  parts.alarm.wake(parts);
  return isRunning;
}

async function earliest(
  parts: Parts,
  integratorId: string,
): Promise<{ at: number; work: DueWork } | undefined> {
  let first: { at: number; work: DueWork } | undefined;
  for (const work of parts.dueWork) {
    const at = await work.next(parts, integratorId);
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, work };
  }
  return first;
}
