/**
 * Does in real time what `searchWork` does in an advance: one timer, set to when time next changes a delivery of anyone.
 *
 * Whatever it can't have heard of (what another instance was about to do when it went) is found within seconds.
 */
import { setImmediate } from "node:timers/promises";
import type { Alarm, Parts } from "../parts.ts";
import { changeDue } from "./courier-search.ts";

const longest = 5000;

export function realTimeAlarm(): Alarm {
  let running: Parts | undefined;
  let timer: NodeJS.Timeout | undefined;
  let rings = Number.POSITIVE_INFINITY;
  let work = Promise.resolve();

  function set(parts: Parts, delay: number): void {
    clearTimeout(timer);
    rings = parts.clock.now() + delay;
    timer = setTimeout(() => ring(parts), delay).unref();
  }

  function ring(parts: Parts): void {
    rings = Number.POSITIVE_INFINITY;
    work = work
      .then(() => doWhatIsDue(parts, () => running !== undefined))
      .catch((error: unknown) => {
        parts.reportFault(error);
        return longest;
      })
      .then((delay) => {
        const expected = rings - parts.clock.now();
        if (running !== undefined && delay < expected) set(parts, delay);
      });
  }

  return {
    start(parts) {
      running = parts;
      ring(parts);
    },
    ring(parts) {
      if (running !== undefined) ring(parts);
    },
    expect(parts, delivery, at) {
      // Both are the integrator's time, so their difference is real time, as far as its clock isn't moved.
      const delay = Math.max(0, at - delivery.updated_at);
      if (running !== undefined && parts.clock.now() + delay < rings) set(parts, delay);
    },
    async stop() {
      running = undefined;
      clearTimeout(timer);
      await work;
    },
  };
}

/** Goes on while there is something due and it may; gives the ms until more is. */
async function doWhatIsDue(parts: Parts, mayGoOn: () => boolean): Promise<number> {
  while (mayGoOn()) {
    const next = await parts.records.due.firstOfAll(parts.database);
    const delay = next === undefined ? longest : next.real_due_at - parts.clock.now();
    if (next === undefined || delay > 0) return Math.min(delay, longest);
    const integrator = await parts.records.integrators.findById(parts.database, next.integrator_id);
    if (integrator === undefined) throw new Error("a delivery belongs to nobody");
    const now = parts.clock.of(integrator, parts.clock.now());
    await changeDue(parts, integrator.id, now, null);
    // Requests go first where much falls due at once.
    await setImmediate();
  }
  return longest;
}
