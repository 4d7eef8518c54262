/**
 * Runs timed changes in real time, as `searchWork` does in an advance. One timer is set to the next change of
 * any delivery. A poll finds changes that this instance doesn't know, such as those of an instance that died.
 */
import { setImmediate } from "node:timers/promises";
import type { Alarm, Dependencies } from "../dependencies.ts";
import { changeDue } from "./courier-search.ts";

const longestSleepMs = 5000;

export function realTimeAlarm(): Alarm {
  let running: Dependencies | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let work = Promise.resolve();

  function setTimer(deps: Dependencies, delay: number): void {
    clearTimeout(timer);
    wakesAt = deps.clock.now() + delay;
    timer = setTimeout(() => wake(deps), delay).unref();
  }

  function wake(deps: Dependencies): void {
    wakesAt = Number.POSITIVE_INFINITY;
    work = work
      .then(() => applyDueChanges(deps, () => running !== undefined))
      .catch((error: unknown) => {
        deps.reportFault(error);
        return longestSleepMs;
      })
      .then((delay) => {
        const expected = wakesAt - deps.clock.now();
        if (running !== undefined && delay < expected) setTimer(deps, delay);
      });
  }

  return {
    start(deps) {
      running = deps;
      wake(deps);
    },
    wake() {
      if (running !== undefined) wake(running);
    },
    schedule(delivery, at) {
      // `at` and `updated_at` are on the integrator's clock, so their difference is real time unless the clock is moved.
      const delay = Math.max(0, at - delivery.updated_at);
      if (running !== undefined && running.clock.now() + delay < wakesAt) setTimer(running, delay);
    },
    async stop() {
      running = undefined;
      clearTimeout(timer);
      await work;
    },
  };
}

/** Applies due changes while `isRunning` returns true. Returns the milliseconds until the next change. */
async function applyDueChanges(deps: Dependencies, isRunning: () => boolean): Promise<number> {
  while (isRunning()) {
    const next = await deps.records.dueDeliveries.firstOfAll(deps.database);
    const delay = next === undefined ? longestSleepMs : next.real_due_at - deps.clock.now();
    if (next === undefined || delay > 0) return Math.min(delay, longestSleepMs);
    const integrator = await deps.records.integrators.findById(deps.database, next.integrator_id);
    if (integrator === undefined) throw new Error("the delivery has no integrator");
    const now = deps.clock.timeOf(integrator, deps.clock.now());
    await changeDue(deps, integrator.id, now, null);
    // Lets requests run between many due changes.
    await setImmediate();
  }
  return longestSleepMs;
}
