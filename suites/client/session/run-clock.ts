import { monotonicNow, pause } from "../../core/clock.ts";

/**
 * The clock of a run in milliseconds. The sandbox records the times of this clock, and clients in this process
 * wait on it.
 */
export interface RunClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Delays a response in real time, at most until the signal aborts. */
  readonly holdBack: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const holdBack: RunClock["holdBack"] = (milliseconds, signal) => pause(milliseconds, signal).catch(() => {});

export const REAL_CLOCK: RunClock = { now: monotonicNow, pause, holdBack };

/** Milliseconds by which each reading advances a virtual clock. */
const STEP_MS = 1;

/**
 * A clock that advances only by waits, which take no real time. While a response is delayed, the clock follows
 * real time, because the client's timeout does too. For clients that send one request at a time.
 */
export function virtualClock(): RunClock {
  let elapsedMs = 0;
  let heldSince: number | undefined;
  const countHeld = () => {
    if (heldSince === undefined) return;
    const now = monotonicNow();
    elapsedMs += now - heldSince;
    heldSince = now;
  };
  return {
    now: () => {
      countHeld();
      elapsedMs += STEP_MS;
      return elapsedMs;
    },
    pause: async (milliseconds) => {
      elapsedMs += Math.max(0, milliseconds);
    },
    holdBack: async (milliseconds, signal) => {
      heldSince = monotonicNow();
      await holdBack(milliseconds, signal);
      countHeld();
      heldSince = undefined;
    },
  };
}
