import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import {
  alterOutbox,
  alterPost,
  alterRetryPolicy,
  alterWebhookLimits,
  giveUpAfter,
} from "../operators/webhooks.ts";

const isStatus = (outcome: string) => /^\d{3}$/.test(outcome);

/** True for the recorded result of a timed-out attempt. */
const isTimeout = (outcome: string) => outcome === "not answered in time";

const alterSuccess = (change: (status: number, original: (status: number) => boolean) => boolean) =>
  alterRetryPolicy(({ isSuccess }) => ({ isSuccess: (status) => change(status, isSuccess) }));

/** Success statuses that HOOK-40 has no endpoint for, because an integrator has five. */
const OTHERWISE_TESTED = ["200", "205", "206"];

/** Follows redirects. `decisive` names the response that determines the attempt's outcome. */
const followRedirects = (decisive: "first" | "second") =>
  alterPost((post) => async (deps, outgoing, signal) => {
    const first = await post(deps, outgoing, signal);
    if (first.status < 300 || first.status > 399 || first.location === undefined) return first;
    const second = await post(deps, { ...outgoing, url: first.location }, signal);
    return decisive === "first" ? first : second;
  });

/** While an event waits for a retry at one endpoint, endpoints that accepted it get it again. */
const retryAtEveryEndpoint = alterOutbox(({ settle }) => ({
  async settle(db, sending, settled) {
    const isWritten = await settle(db, sending, settled);
    const failing = await db
      .selectFrom("outbox")
      .select("due_at")
      .where("event_id", "=", sending.event_id)
      .where("state", "=", "PENDING")
      .where("failures", ">", 0)
      .executeTakeFirst();
    if (!failing) return isWritten;
    await db
      .updateTable("outbox")
      .set({ state: "PENDING", due_at: failing.due_at })
      .where("event_id", "=", sending.event_id)
      .where("state", "=", "DELIVERED")
      .execute();
    return isWritten;
  },
}));

/** Waits as long as a response with this status asks for in its retry-after header. */
function obeyRetryAfter(status: number): Mutate {
  const delaysMs = new Map<string, number>();
  const keyOf = (eventId: string | undefined, webhookId: string) => `${eventId} ${webhookId}`;
  return (deps) =>
    alterOutbox(({ settle }) => ({
      settle(db, sending, settled) {
        const delayMs = delaysMs.get(keyOf(sending.event_id, sending.webhook_id)) ?? 0;
        return settle(db, sending, { ...settled, due_at: settled.due_at + delayMs });
      },
    }))(
      alterPost((post) => async (current, outgoing, signal) => {
        const response = await post(current, outgoing, signal);
        const seconds = response.status === status ? Number(response.headers?.["retry-after"] ?? 0) : 0;
        delaysMs.set(keyOf(outgoing.headers["webhook-id"], outgoing.webhookId), seconds * 1000);
        return response;
      })(deps),
    );
}

const FAILURE_STATUSES = [
  ...elementsOf("server-error-statuses"),
  ...elementsOf("client-error-statuses"),
  ...elementsOf("redirect-statuses"),
] as const;

/** The clauses about responses other than 2xx. */
const failureClauses = (status: (typeof FAILURE_STATUSES)[number]): readonly ClauseId[] => {
  if (status.startsWith("5")) return ["RETRY-1"];
  return status.startsWith("4") ? ["RETRY-2"] : ["RETRY-3", "RETRY-4"];
};

export const endpointsMutants: Mutants = {
  ...forEachElement(
    FAILURE_STATUSES,
    (status) => `${status}-counts-as-success`,
    (status) => ({
      fault: `a ${status} response counts as a success`,
      breaks: breaking(status, ...failureClauses(status)),
      mutate: alterSuccess((received, original) => original(received) || received === Number(status)),
    }),
  ),
  ...forEachElement(
    elementsOf("success-statuses"),
    (status) => `${status}-counts-as-a-failure`,
    (status) => ({
      fault: `a ${status} response counts as a failure`,
      breaks: breaking(status, "RETRY-8", ...(OTHERWISE_TESTED.includes(status) ? [] : ["HOOK-40" as const])),
      mutate: alterSuccess((received, original) => original(received) && received !== Number(status)),
    }),
  ),
  "unavailable-is-final": {
    fault: "an event is given up after a 503 response",
    breaks: [{ clause: "RETRY-1", case: "503" }],
    mutate: giveUpAfter((outcome) => outcome === "503"),
  },
  "retry-after-of-a-503-delays-the-retry": {
    fault: "the retry after a 503 response waits for the time in its retry-after header",
    breaks: [{ clause: "RETRY-1", case: "503" }],
    mutate: obeyRetryAfter(503),
  },
  "retry-after-of-a-429-delays-the-retry": {
    fault: "the retry after a 429 response waits for the time in its retry-after header",
    breaks: [{ clause: "RETRY-2", case: "429" }],
    mutate: obeyRetryAfter(429),
  },
  "server-errors-are-successes": {
    fault: "responses with statuses above 500 count as a success",
    breaks: breaking(["501", "502", "503", "504", "505", "511"], "RETRY-1"),
    mutate: alterSuccess((status, original) => original(status) || status > 500),
  },
  "client-errors-are-final": {
    fault: "an event is given up after a 4xx response",
    breaks: [{ clause: "RETRY-2" }, { clause: "RETRY-10" }],
    caughtBy: ["endpoints.client-errors", "retries.second-attempts"],
    mutate: giveUpAfter((outcome) => /^4\d\d$/.test(outcome)),
  },
  "unauthorized-is-final": {
    fault: "an event is given up after a 401 response",
    breaks: [{ clause: "RETRY-2", case: "401" }],
    mutate: giveUpAfter((outcome) => outcome === "401"),
  },
  "broken-connection-is-final": {
    fault: "an event is given up after a broken connection",
    breaks: [{ clause: "RETRY-7" }],
    mutate: giveUpAfter((outcome) => !isStatus(outcome) && !isTimeout(outcome)),
  },
  "redirects-are-successes": {
    fault: "responses with statuses below 400 count as a success",
    breaks: [{ clause: "RETRY-3" }, { clause: "RETRY-4" }],
    mutate: alterSuccess((status) => status < 400),
  },
  "not-modified-is-a-success": {
    fault: "a 304 response counts as a success",
    breaks: [
      { clause: "RETRY-3", case: "304" },
      { clause: "RETRY-4", case: "304" },
    ],
    mutate: alterSuccess((status, original) => original(status) || status === 304),
  },
  "redirect-is-followed": {
    fault: "a redirect is followed, and the redirected response counts",
    breaks: [{ clause: "RETRY-3" }, { clause: "RETRY-4" }],
    mutate: followRedirects("second"),
  },
  "redirect-is-tried": {
    fault: "a redirect counts as a failure, but is followed",
    breaks: [{ clause: "RETRY-3" }, { clause: "RETRY-4" }],
    mutate: followRedirects("first"),
  },
  "waits-a-minute": {
    fault: "the response timeout is longer than 15 s",
    breaks: [{ clause: "RETRY-5" }],
    caughtBy: ["endpoints.fifteen-seconds"],
    mutate: alterWebhookLimits(() => ({ answerMs: 60_000 })),
  },
  "waits-17-seconds": {
    fault: "the response timeout is longer than 15 s",
    breaks: [{ clause: "RETRY-5" }],
    caughtBy: ["endpoints.fifteen-seconds"],
    mutate: alterWebhookLimits(() => ({ answerMs: 17_000 })),
  },
  "waits-20-seconds": {
    fault: "the response timeout is longer than 15 s",
    breaks: [{ clause: "RETRY-5" }],
    caughtBy: ["endpoints.fifteen-seconds"],
    mutate: alterWebhookLimits(() => ({ answerMs: 20_000 })),
  },
  "gives-up-after-10-seconds": {
    fault: "the response timeout is shorter than 15 s",
    breaks: [{ clause: "RETRY-6" }],
    mutate: alterWebhookLimits(() => ({ answerMs: 10_000 })),
  },
  "gives-up-after-13-seconds": {
    fault: "the response timeout is shorter than 15 s",
    breaks: [{ clause: "RETRY-6" }],
    mutate: alterWebhookLimits(() => ({ answerMs: 13_000 })),
  },
  "missing-response-is-final": {
    fault: "an event is given up after a timeout",
    breaks: [{ clause: "RETRY-5" }],
    caughtBy: ["endpoints.fifteen-seconds"],
    mutate: giveUpAfter(isTimeout),
  },
  "only-200-is-a-success": {
    fault: "only a 200 response counts as a success",
    breaks: [
      ...breaking(["201", "202", "203", "204", "205", "206", "299"], "RETRY-8"),
      ...breaking(["201", "202", "203", "204", "299"], "HOOK-40"),
    ],
    mutate: alterSuccess((status) => status === 200),
  },
  "status-202-is-a-failure": {
    fault: "a 202 response counts as a failure",
    breaks: breaking("202", "RETRY-8", "HOOK-40"),
    mutate: alterSuccess((status, original) => original(status) && status !== 202),
  },
  "unknown-2xx-is-a-failure": {
    fault: "unassigned 2xx statuses count as a failure",
    breaks: breaking("299", "RETRY-8", "HOOK-40"),
    mutate: alterSuccess((status, original) => original(status) && status < 227),
  },
  "success-without-a-body-is-a-failure": {
    fault: "a 204 response counts as a failure",
    breaks: breaking("204", "RETRY-8", "HOOK-40"),
    mutate: alterSuccess((status, original) => original(status) && status !== 204),
  },
  "retry-goes-to-every-endpoint": {
    fault: "an event that failed at one endpoint is retried at all endpoints of the integrator",
    breaks: [{ clause: "RETRY-18" }],
    mutate: retryAtEveryEndpoint,
  },
};
