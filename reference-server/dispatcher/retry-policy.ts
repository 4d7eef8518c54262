/** The rules for retries and for closing an endpoint (specification, Delivery). */
import type { RetryPolicy } from "../dependencies.ts";

export const retryPolicy: RetryPolicy = {
  isSuccess: (status) => status >= 200 && status < 300,
  closesEndpoint: (status) => status === 410,
  retryAt(deps, failures, failedAt) {
    const delay = deps.limits.webhooks.delaysMs[failures];
    return delay === undefined ? undefined : failedAt + delay;
  },
  givesUp: (deps, failingSince, now) => now - failingSince >= deps.limits.webhooks.failingMs,
};
