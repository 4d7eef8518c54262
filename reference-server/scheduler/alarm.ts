/**
 * Does in real time what `searchWork` does in an advance: one timer, set to when time next changes a delivery of anyone.
 *
 * Whatever it can't have heard of (what another instance was about to do when it went) is found within seconds.
 */
import { setImmediate } from "node:timers/promises";
import type { Alarm, Parts } from "../parts.ts";
import { changeDue } from "./courier-search.ts";

const longestSleepMs = 5000;

export function realTimeAlarm(): Alarm {
  let running: Parts | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let work = Promise.resolve();

  function setTimer(parts: Parts, delay: number): void {
    clearTimeout(timer);
    wakesAt = parts.clock.now() + delay;
    timer = setTimeout(() => wake(parts), delay).unref();
  }

  function wake(parts: Parts): void {
    wakesAt = Number.POSITIVE_INFINITY;
    work = work
      .then(() => doWhatIsDue(parts, () => running !== undefined))
      .catch((error: unknown) => {
        parts.reportFault(error);
        return longestSleepMs;
      })
      .then((delay) => {
        const expected = wakesAt - parts.clock.now();
        if (running !== undefined && delay < expected) setTimer(parts, delay);
      });
  }

  return {
    start(parts) {
      running = parts;
      wake(parts);
    },
    wake(parts) {
      if (running !== undefined) wake(parts);
    },
    schedule(parts, delivery, at) {
      // Both are the integrator's time, so their difference is real time, as far as its clock isn't moved.
      const delay = Math.max(0, at - delivery.updated_at);
      if (running !== undefined && parts.clock.now() + delay < wakesAt) setTimer(parts, delay);
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
    const next = await parts.records.dueDeliveries.firstOfAll(parts.database);
    const delay = next === undefined ? longestSleepMs : next.real_due_at - parts.clock.now();
    if (next === undefined || delay > 0) return Math.min(delay, longestSleepMs);
    const integrator = await parts.records.integrators.findById(parts.database, next.integrator_id);
    if (integrator === undefined) throw new Error("a delivery belongs to nobody");
    const now = parts.clock.of(integrator, parts.clock.now());
    await changeDue(parts, integrator.id, now, null);
    // Requests go first where much falls due at once.
    await setImmediate();
  }
  return longestSleepMs;
}
