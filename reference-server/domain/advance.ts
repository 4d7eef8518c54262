/**
 * Letting time pass for one integrator (control interface, "The clock"): in jumps from one due time to the next, with
 * the clock standing still while what fell due is done.
 */
import type { Parts } from "../parts.ts";

/** Something that falls due: `next` says when, `run` does what is due at that time. Times on the integrator's clock. */
export interface DueWork {
  next(parts: Parts, integratorId: string): Promise<number | undefined>;
  run(parts: Parts, integratorId: string, at: number): Promise<void>;
}

/** Advances of one integrator's clock take turns, or two at once would both start from the same time. */
const turns = new Map<string, Promise<unknown>>();

/** Moves the integrator's clock ahead by `ms` and gives its time after that; undefined where there is no such one. */
export async function advance(parts: Parts, integratorId: string, ms: number): Promise<number | undefined> {
  const before = turns.get(integratorId);
  const turn = Promise.resolve(before)
    .catch(() => {})
    .then(() => advanceNow(parts, integratorId, ms));
  turns.set(integratorId, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(integratorId) === turn) turns.delete(integratorId);
  }
}

async function advanceNow(parts: Parts, integratorId: string, ms: number): Promise<number | undefined> {
  const integrator = await parts.records.integrators.findById(parts.database, integratorId);
  if (integrator === undefined) return undefined;
  const start = parts.clock.of(integrator, parts.clock.now());
  const target = start + ms;
  let shown = start;
  try {
    await parts.records.clocks.freeze(parts.database, integratorId, start);
    // What was under way before is answered at the time at which it was sent.
    await parts.dispatcher.hold(integratorId);
    for (;;) {
      const due = await earliest(parts, integratorId);
      if (due === undefined || due.at > target) break;
      // What was due before the advance is done at its start: the clock only goes forward.
      shown = Math.max(shown, due.at);
      await parts.records.clocks.freeze(parts.database, integratorId, shown);
      await due.work.run(parts, integratorId, shown);
    }
    shown = target;
  } finally {
    await letRun(parts, integratorId, shown);
  }
  return target;
}

/** The clock shows `at`, and runs from there. */
async function letRun(parts: Parts, integratorId: string, at: number): Promise<void> {
  await parts.transaction(parts, (tx) => parts.records.clocks.run(tx, integratorId, at - parts.clock.now()));
  await parts.dispatcher.letGo(parts, integratorId, at);
  parts.alarm.ring(parts);
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
