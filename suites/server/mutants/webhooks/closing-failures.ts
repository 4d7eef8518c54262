import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutants } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import {
  alterOutbox,
  alterRetryPolicy,
  alterWebhookLimits,
  alterWebhookRecords,
} from "../operators/webhooks.ts";
import { keepAcrossClosing } from "./closing.ts";

const HOUR_MS = 3_600_000;

/** A success doesn't stop the five days that began with the first failure. Only a new failure restarts them. */
function closeFiveDaysAfterFirstFailure(deps: Dependencies): Dependencies {
  const firstFailures = new Map<string, number>();
  const observed = alterWebhookRecords(({ failed }) => ({
    async failed(tx, id, at) {
      const since = await failed(tx, id, at);
      firstFailures.set(id, since);
      return since;
    },
  }))(deps);
  return {
    ...observed,
    async emit(current, tx, delivery, kind) {
      const { webhooks } = current.records;
      for (const { id } of await webhooks.active(tx, delivery.integrator_id)) {
        const isDue =
          delivery.updated_at - (firstFailures.get(id) ?? Infinity) >= current.limits.webhooks.failingMs;
        if (isDue) await webhooks.setStatus(tx, id, "CLOSED");
      }
      await deps.emit(current, tx, delivery, kind);
    },
  };
}

/** Shows the start of an endpoint's first failures during all later ones. */
function showFirstFailingSince(deps: Dependencies): Dependencies {
  const starts = new Map<string, number>();
  const observed = alterWebhookRecords(({ failed }) => ({
    async failed(tx, id, at) {
      const since = await failed(tx, id, at);
      starts.set(id, starts.get(id) ?? since);
      return since;
    },
  }))(deps);
  const webhook: typeof deps.views.webhook = (shown) =>
    deps.views.webhook({ ...shown, failing_since: shown.failing_since && (starts.get(shown.id) ?? null) });
  return { ...observed, views: { ...deps.views, webhook } };
}

/**
 * A new registration of a closed endpoint creates a new subscription, which inherits the old series of
 * failures.
 */
const keepFailingSince = alterWebhookRecords(({ list, put }) => ({
  list: async (db, integratorId) =>
    (await list(db, integratorId)).filter(({ status }) => status === "ACTIVE"),
  async put(tx, webhook) {
    const known = (await list(tx, webhook.integrator_id)).find(
      ({ status, url }) => status === "CLOSED" && url === webhook.url,
    );
    return put(tx, { ...webhook, failing_since: known?.failing_since ?? null });
  },
}));

/** The five days begin with the registration, so that a late first failure closes the endpoint. */
function countFromRegistration(deps: Dependencies): Dependencies {
  const registeredAt = new Map<string, number>();
  const haveFailed = new Set<string>();
  return alterWebhookRecords(({ put, failed }) => ({
    async put(tx, webhook) {
      registeredAt.set(webhook.id, webhook.created_at);
      await put(tx, webhook);
    },
    async failed(tx, id, at) {
      const since = await failed(tx, id, at);
      if (haveFailed.has(id)) return since;
      haveFailed.add(id);
      return registeredAt.get(id) ?? since;
    },
  }))(deps);
}

/** Failures with these outcomes don't set failing_since. */
const failuresWithoutTrace =
  (isAffected: (outcome: string) => boolean) =>
  (deps: Dependencies): Dependencies => {
    const affected = new Set<string>();
    const observed = alterOutbox(({ settle }) => ({
      settle(db, sending, settled) {
        if (isAffected(settled.outcome ?? "")) affected.add(sending.webhook_id);
        return settle(db, sending, settled);
      },
    }))(deps);
    return alterWebhookRecords(({ failed }) => ({
      failed: async (tx, id, at) => (affected.delete(id) ? at : failed(tx, id, at)),
    }))(observed);
  };

/** Lists endpoints as active that were closed because of five days of failures. */
function listGivenUpAsActive(deps: Dependencies): Dependencies {
  const givenUp = new Set<string>();
  let givesUp = false;
  const observed = alterRetryPolicy((policy) => ({
    givesUp(...given) {
      givesUp = policy.givesUp(...given);
      return givesUp;
    },
  }))(deps);
  const closing = alterWebhookRecords(({ put, setStatus }) => ({
    async put(tx, webhook) {
      givenUp.delete(webhook.id);
      await put(tx, webhook);
    },
    async setStatus(tx, id, status) {
      if (givesUp && status === "CLOSED") givenUp.add(id);
      givesUp = false;
      await setStatus(tx, id, status);
    },
  }))(observed);
  const webhook: typeof deps.views.webhook = (shown) =>
    deps.views.webhook(givenUp.has(shown.id) ? { ...shown, status: "ACTIVE" } : shown);
  return { ...closing, views: { ...deps.views, webhook } };
}

/** Faults of failing_since, and of closing an endpoint after five days. */
export const closingFailuresMutants: Mutants = {
  "failing-since-is-never-set": {
    fault: "failing_since is always null",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since", "retries.late-silence"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        webhook: (webhook) => ({ ...deps.views.webhook(webhook), failing_since: null }),
      },
    }),
  },
  "missing-response-leaves-failing-since-null": {
    fault: "a timeout doesn't set failing_since",
    breaks: [{ clause: "HOOK-8" }, { clause: "RETRY-5" }],
    caughtBy: ["closing.failing-since-of-silence"],
    mutate: failuresWithoutTrace((outcome) => outcome === "not answered in time"),
  },
  "refusals-leave-failing-since-null": {
    fault: "a 4xx response doesn't set failing_since",
    breaks: [{ clause: "HOOK-8", case: "status 404" }],
    caughtBy: ["retries.every-kind-of-failure"],
    mutate: failuresWithoutTrace((outcome) => outcome.startsWith("4")),
  },
  "redirects-leave-failing-since-null": {
    fault: "a redirect doesn't set failing_since",
    breaks: [{ clause: "HOOK-8", case: "a redirect" }],
    caughtBy: ["retries.every-kind-of-failure"],
    mutate: failuresWithoutTrace((outcome) => outcome.startsWith("3")),
  },
  "broken-connections-leave-failing-since-null": {
    fault: "a broken connection doesn't set failing_since",
    breaks: [{ clause: "HOOK-8", case: "a broken connection" }],
    caughtBy: ["retries.every-kind-of-failure"],
    mutate: failuresWithoutTrace((outcome) => /^[A-Z]/.test(outcome)),
  },
  "failing-since-moves-with-each-failure": {
    fault: "failing_since is the time of the last failure",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since", "closing.failing-since-of-several-events"],
    mutate: alterWebhookRecords(({ failed, succeeded }) => ({
      async failed(tx, id, at) {
        await succeeded(tx, id);
        return failed(tx, id, at);
      },
    })),
  },
  "failing-since-of-the-first-failures": {
    fault: "failing_since of later failures is the start of the endpoint's first failures",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since"],
    mutate: showFirstFailingSince,
  },
  "failing-since-is-the-registration": {
    fault: "failing_since is the time of the registration",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        webhook: (webhook) => {
          const shown = deps.views.webhook(webhook);
          return { ...shown, failing_since: shown.failing_since === null ? null : shown.created_at };
        },
      },
    }),
  },
  "success-leaves-failing-since": {
    fault: "a success doesn't reset failing_since",
    breaks: [{ clause: "HOOK-9" }, { clause: "RETRY-24" }],
    mutate: alterWebhookRecords(() => ({ succeeded: async () => {} })),
  },
  "success-of-a-retry-leaves-failing-since": {
    fault: "a successful retry doesn't reset failing_since",
    breaks: [{ clause: "HOOK-9" }],
    caughtBy: ["closing.failing-since"],
    mutate: (deps) => {
      const acceptedFirst = new Set<string>();
      const observed = alterOutbox(({ settle }) => ({
        settle(db, sending, settled) {
          if (settled.state === "DELIVERED" && settled.failures === 0) acceptedFirst.add(sending.webhook_id);
          return settle(db, sending, settled);
        },
      }))(deps);
      return alterWebhookRecords(({ succeeded }) => ({
        succeeded: async (db, id) => {
          if (acceptedFirst.delete(id)) await succeeded(db, id);
        },
      }))(observed);
    },
  },
  "rotation-resets-failing-since": {
    fault: "a rotation resets failing_since",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since"],
    mutate: alterWebhookRecords(({ setSecret, succeeded }) => ({
      async setSecret(tx, id, secret) {
        await setSecret(tx, id, secret);
        await succeeded(tx, id);
      },
    })),
  },
  "rotation-answers-without-failing-since": {
    fault: "failing_since in the response to a rotation is always null",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.failing-since"],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const { status, body } = await original(call);
      return { status, body: { ...body, failing_since: null } };
    }),
  },
  "new-subscription-keeps-failing-since-of-the-old": {
    fault: "a closed endpoint that is registered again keeps the old failing_since",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["closing.five-days"],
    mutate: keepFailingSince,
  },
  "closed-five-days-after-one-failure": {
    fault: "an endpoint is closed five days after its first failure, even if a success followed",
    breaks: [{ clause: "RETRY-24" }],
    mutate: closeFiveDaysAfterFirstFailure,
  },
  "quiet-endpoint-closes-at-its-first-failure": {
    fault:
      "an endpoint whose first event comes more than five days after its registration is closed if it fails",
    breaks: [{ clause: "RETRY-23" }],
    caughtBy: ["closing.five-days"],
    mutate: countFromRegistration,
  },
  "closed-after-eight-attempts": {
    fault: "an endpoint is closed when one event has failed eight times",
    breaks: [{ clause: "RETRY-23" }],
    caughtBy: [
      "retries.every-kind-of-failure",
      "retries.late-silence",
      "retries.rotation-goes-on",
      "retries.schedule",
    ],
    mutate: alterOutbox(({ settle }) => ({
      async settle(db, sending, settled) {
        if (settled.state === "FAILED")
          await db
            .updateTable("webhooks")
            .set({ status: "CLOSED" })
            .where("id", "=", sending.webhook_id)
            .execute();
        return settle(db, sending, settled);
      },
    })),
  },
  "failing-endpoints-stay-active": {
    fault: "a failing endpoint is never closed",
    breaks: [{ clause: "RETRY-22" }],
    mutate: alterRetryPolicy(() => ({ givesUp: () => false })),
  },
  "endpoint-closed-after-five-days-is-listed-as-active": {
    fault: "an endpoint that is closed after five days of failures is still listed as active",
    breaks: [{ clause: "RETRY-22" }],
    mutate: listGivenUpAsActive,
  },
  "endpoint-closed-after-five-days-counts-towards-the-limit": {
    fault: "an endpoint closed after five days of failures counts towards the limit of five",
    breaks: [{ clause: "RETRY-22" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const { deps, integrator } = call;
      const known = await deps.records.webhooks.list(deps.database, integrator.id);
      const { active, failingMs } = deps.limits.webhooks;
      const isGivenUp = (since: number | null) => since !== null && call.now - since >= failingMs;
      const givenUp = known.filter(({ failing_since }) => isGivenUp(failing_since)).length;
      return original({ ...call, deps: alterWebhookLimits(() => ({ active: active - givenUp }))(deps) });
    }),
  },
  "closed-after-118-hours": {
    fault: "a failing endpoint is closed after 118 hours instead of five days",
    breaks: [{ clause: "RETRY-23" }],
    caughtBy: ["closing.five-days"],
    mutate: alterWebhookLimits(() => ({ failingMs: 118 * HOUR_MS })),
  },
  "closed-after-156-hours": {
    fault: "a failing endpoint is closed only after six and a half days",
    breaks: [{ clause: "RETRY-22" }],
    mutate: alterWebhookLimits(() => ({ failingMs: 156 * HOUR_MS })),
  },
  "reopened-endpoint-closes-at-its-first-failure": {
    fault: "an endpoint that is registered again after five days of failures is closed at its next failure",
    breaks: [{ clause: "RETRY-25" }],
    mutate: keepAcrossClosing(({ failing_since }) => ({ failing_since })),
  },
  "endpoint-reopened-after-five-days-signs-with-the-old-secret": {
    fault:
      "events to an endpoint that is registered again after five days of failures are signed with its old secret",
    breaks: [{ clause: "SIGN-14" }],
    mutate: keepAcrossClosing(({ secret, failing_since }, renewed) => ({
      secret: failing_since === null ? renewed.secret : secret,
    })),
  },
  "reopened-endpoint-stays-closed": {
    fault: "registering a closed endpoint again returns 201, but the endpoint stays closed",
    breaks: [{ clause: "RETRY-25" }],
    mutate: alterWebhookRecords(({ put, list }) => ({
      async put(tx, webhook) {
        const known = (await list(tx, webhook.integrator_id)).find(({ id }) => id === webhook.id);
        return put(tx, { ...webhook, status: known?.status ?? webhook.status });
      },
    })),
  },
};
