/** The rules for retries and for closing an endpoint (specification, Delivery, retry and closing). */
import type { RetryPolicy } from "../dependencies.ts";

export const retryPolicy: RetryPolicy = {
  isSuccess: (status) => status >= 200 && status < 300,
  closesEndpoint: (status) => status === 410,
  retryAt(limits, failures, failedAt) {
    const delay = limits.webhooks.delaysMs[failures];
    return delay === undefined ? undefined : failedAt + delay;
  },
  givesUp: (limits, failingSince, now) => now - failingSince >= limits.webhooks.failingMs,
};
