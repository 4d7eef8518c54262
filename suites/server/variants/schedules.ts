import type { Dependencies } from "../../../reference-server/dependencies.ts";

/** Adds a sixth to every other delay (OPEN-191). */
const JITTER = 1 / 6;

function withJitter(deps: Dependencies): Dependencies {
  let isDelayed = false;
  const { retryAt } = deps.retryPolicy;
  return {
    ...deps,
    retryPolicy: {
      ...deps.retryPolicy,
      retryAt(limits, failures, failedAt) {
        const due = retryAt(limits, failures, failedAt);
        if (due === undefined) return undefined;
        isDelayed = !isDelayed;
        return Math.round(due + (isDelayed ? (due - failedAt) * JITTER : 0));
      },
    },
  };
}

/** A retry is serialised again, so its bytes may differ from the first attempt's (OPEN-187). */
function serialisesAgain(deps: Dependencies): Dependencies {
  const { request } = deps.attemptRequests;
  return {
    ...deps,
    attemptRequests: {
      ...deps.attemptRequests,
      request: (all, dispatch, now) =>
        request(
          all,
          { ...dispatch, body: JSON.stringify(JSON.parse(dispatch.body), null, dispatch.failures) },
          now,
        ),
    },
  };
}

/**
 * An endpoint counts as failing from its last event's first attempt to that event's end (OPEN-76, OPEN-194).
 */
function failingSinceLastEvent(deps: Dependencies): Dependencies {
  const { outbox, webhooks } = deps.records;
  const failing = new Set<string>();
  return {
    ...deps,
    records: {
      ...deps.records,
      outbox: {
        ...outbox,
        settle(db, sending, settled) {
          if (settled.state === "FAILED") failing.add(sending.webhook_id);
          return outbox.settle(db, sending, settled);
        },
      },
      webhooks: {
        ...webhooks,
        failed: async (tx, id, at) => (failing.has(id) ? webhooks.failed(tx, id, at) : at),
        succeeded(db, id) {
          failing.delete(id);
          return webhooks.succeeded(db, id);
        },
      },
    },
  };
}

/**
 * Closed endpoints aren't listed, and registering one again creates a new subscription (OPEN-75, OPEN-195).
 */
function hidesClosed(deps: Dependencies): Dependencies {
  const { webhooks } = deps.records;
  return {
    ...deps,
    records: {
      ...deps.records,
      webhooks: {
        ...webhooks,
        list: async (db, integratorId) =>
          (await webhooks.list(db, integratorId)).filter(({ status }) => status === "ACTIVE"),
      },
    },
  };
}

export const otherSchedules = (deps: Dependencies): Dependencies =>
  hidesClosed(failingSinceLastEvent(serialisesAgain(withJitter(deps))));
