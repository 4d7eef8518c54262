import { monotonicNow, pause } from "../../core/clock.ts";

/** The clock of a run: the sandbox records times by it, and a client in this process waits on it. Milliseconds. */
export interface RunClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Holds an answer back in real time, until the signal at the latest. */
  readonly holdBack: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const holdBack: RunClock["holdBack"] = (milliseconds, signal) => pause(milliseconds, signal).catch(() => {});

export const REAL_CLOCK: RunClock = { now: monotonicNow, pause, holdBack };

/** The time between two readings of a virtual clock. */
const STEP_MS = 1;

/**
 * A clock that waits move on, in no time. Real time counts only while an answer is held back, since the client's timeout
 * is real. For clients that send one request at a time.
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
