/**
 * Runs timed changes in real time, as `searchWork` does in an advance. One timer is set to the next change of any
 * delivery.
 *
 * A poll finds changes that this instance doesn't know, such as those of an instance that died.
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
      // Both are on the integrator's clock, so their difference is real time unless the clock is moved.
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

/** Applies due changes while `mayGoOn` allows it. Returns the ms until the next one. */
async function doWhatIsDue(parts: Parts, mayGoOn: () => boolean): Promise<number> {
  while (mayGoOn()) {
    const next = await parts.records.dueDeliveries.firstOfAll(parts.database);
    const delay = next === undefined ? longestSleepMs : next.real_due_at - parts.clock.now();
    if (next === undefined || delay > 0) return Math.min(delay, longestSleepMs);
    const integrator = await parts.records.integrators.findById(parts.database, next.integrator_id);
    if (integrator === undefined) throw new Error("a delivery belongs to nobody");
    const now = parts.clock.of(integrator, parts.clock.now());
    await changeDue(parts, integrator.id, now, null);
    // Lets requests run between many due changes.
    await setImmediate();
  }
  return longestSleepMs;
}
