/** The rules for retries and for closing an endpoint (specification, Delivery). */
import type { RetryPolicy } from "../parts.ts";

export const retryPolicy: RetryPolicy = {
  isSuccess: (status) => status >= 200 && status < 300,
  closesEndpoint: (status) => status === 410,
  retryAt(parts, failures, failedAt) {
    const delay = parts.limits.webhooks.delaysMs[failures];
    return delay === undefined ? undefined : failedAt + delay;
  },
  givesUp: (parts, failingSince, now) => now - failingSince >= parts.limits.webhooks.failingMs,
};
