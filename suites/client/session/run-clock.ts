import { once } from "node:events";
import { monotonicNow, pause } from "../../core/clock.ts";

/**
 * The clock of a run in milliseconds. The sandbox records the times of this clock, and clients in this process
 * wait on it.
 */
export interface RunClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Delays a response, at most until the signal aborts. */
  readonly holdBack: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Sends a client's request. The signal aborts if the response takes longer. */
  readonly limit: <T>(milliseconds: number, send: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

export const REAL_CLOCK: RunClock = {
  now: monotonicNow,
  pause,
  holdBack: (milliseconds, signal) => pause(milliseconds, signal).catch(() => {}),
  limit: (milliseconds, send) => send(AbortSignal.timeout(milliseconds)),
};

/** Milliseconds by which each reading advances a virtual clock. */
const STEP_MS = 1;

/**
 * A clock that advances only by waits and delayed responses, which take no real time. A request ends early if its
 * response is delayed beyond its limit. For clients that send one request at a time.
 */
export function virtualClock(): RunClock {
  let elapsedMs = 0;
  let pending: { readonly endsAt: number; readonly end: () => void } | undefined;
  return {
    now: () => {
      elapsedMs += STEP_MS;
      return elapsedMs;
    },
    pause: async (milliseconds) => {
      elapsedMs += Math.max(0, milliseconds);
    },
    holdBack: async (milliseconds, signal) => {
      const respondsAt = elapsedMs + milliseconds;
      if (pending === undefined || pending.endsAt > respondsAt) {
        elapsedMs = respondsAt;
        return;
      }
      elapsedMs = Math.max(elapsedMs, pending.endsAt);
      const closed = once(signal, "abort");
      pending.end();
      await closed;
    },
    limit: async (milliseconds, send) => {
      const request = new AbortController();
      pending = { endsAt: elapsedMs + milliseconds, end: () => request.abort() };
      try {
        return await send(request.signal);
      } finally {
        pending = undefined;
      }
    },
  };
}
