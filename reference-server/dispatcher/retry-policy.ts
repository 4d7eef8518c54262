/** What follows from how an attempt ended (specification, Delivery, retry and closing). */
import type { Parts } from "../parts.ts";

export interface Schedule {
  isSuccess(status: number): boolean;
  /** Whether this status closes the address at once. */
  closes(status: number): boolean;
  /** When to try again after so many failures, the last at `failedAt`; undefined for never. */
  retryAt(parts: Parts, failures: number, failedAt: number): number | undefined;
  /** Whether an address is closed that has been failing since `failingSince`. */
  givesUp(parts: Parts, failingSince: number, now: number): boolean;
}

export const schedule: Schedule = {
  isSuccess: (status) => status >= 200 && status < 300,
  closes: (status) => status === 410,
  retryAt(parts, failures, failedAt) {
    const delay = parts.limits.webhooks.delaysMs[failures];
    return delay === undefined ? undefined : failedAt + delay;
  },
  givesUp: (parts, failingSince, now) => now - failingSince >= parts.limits.webhooks.failingMs,
};
