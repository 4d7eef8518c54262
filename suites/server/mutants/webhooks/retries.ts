import { randomUUID } from "node:crypto";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Dispatch, OutboxKey } from "../../../../reference-server/records/outbox.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import {
  alterAttemptHeaders,
  alterAttemptRequests,
  alterFirstDue,
  alterOutbox,
  alterPost,
  alterRetryDelays,
  alterSettlement,
  rememberFirst,
} from "../operators/webhooks.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

const RETRY_NUMBERS = ["2", "3", "4", "5", "6", "7", "8"] as const;

const ATTEMPT_CLAUSES = {
  "2": "RETRY-10",
  "3": "RETRY-11",
  "4": "RETRY-12",
  "5": "RETRY-13",
  "6": "RETRY-14",
  "7": "RETRY-15",
  "8": "RETRY-16",
} as const;

const NEXT_ATTEMPT = { "4": "5", "5": "6", "6": "7" } as const;

/** Wrong delays, just beyond the tolerances: a few seconds early, or a fifth and a few seconds late. */
const WRONG_DELAYS_S = {
  2: { early: 1, late: 23 },
  3: { early: 290, late: 377 },
  4: { early: 1790, late: 2177 },
  5: { early: 7190, late: 8657 },
  6: { early: 17_990, late: 21_617 },
  7: { early: 35_990, late: 43_217 },
  8: { early: 35_990, late: 43_217 },
} as const;

const replaceDelay = (index: number, seconds: number) =>
  alterRetryDelays((delays) => delays.map((delay, place) => (place === index ? seconds : delay)));

/** Schedules an accepted event again, as if it had failed. */
export const retryAfterSuccess = (isAffected: (failures: number) => boolean, seconds = HOUR_S) =>
  alterSettlement(({ state, failures, due_at }) =>
    state === "DELIVERED" && isAffected(failures)
      ? { state: "PENDING", failures: failures + 1, due_at: due_at + seconds * 1000 }
      : {},
  );

/** Makes the headers of attempts after this many failures for another event. */
const alterRetriesAfter = (failures: number, change: (dispatch: Dispatch) => Partial<Dispatch>) =>
  alterAttemptRequests(({ headers }) => ({
    headers: (deps, dispatch, secret, now) =>
      headers(
        deps,
        dispatch.failures >= failures ? { ...dispatch, ...change(dispatch) } : dispatch,
        secret,
        now,
      ),
  }));

/** Changes the members of the bodies of attempts after this many failures. */
const alterBodiesAfter = (failures: number, change: (key: string, value: unknown) => unknown) =>
  alterAttemptRequests(({ request }) => ({
    request(deps, dispatch, now) {
      if (dispatch.failures < failures) return request(deps, dispatch, now);
      return request(deps, { ...dispatch, body: JSON.stringify(JSON.parse(dispatch.body, change)) }, now);
    },
  }));

/** An event gets a new id after a timed-out attempt. */
function newIdAfterTimeout(deps: Dependencies): Dependencies {
  const newIds = new Map<string, string>();
  const keyOf = ({ event_id, webhook_id }: OutboxKey) => `${event_id} ${webhook_id}`;
  const observed = alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      if (settled.outcome === "not answered in time") newIds.set(keyOf(sending), randomUUID());
      return settle(db, sending, settled);
    },
  }))(deps);
  return alterAttemptRequests(({ headers }) => ({
    headers: (current, dispatch, secret, now) =>
      headers(
        current,
        { ...dispatch, event_id: newIds.get(keyOf(dispatch)) ?? dispatch.event_id },
        secret,
        now,
      ),
  }))(observed);
}

const SECOND_ATTEMPT_CHECKS = [
  "retries.second-attempts",
  "retries.every-kind-of-failure",
  "retries.late-silence",
];

/** The checks that see an event given up after each attempt. */
const GIVING_UP_CHECKS = {
  "4": ["retries.rotation-goes-on", "retries.late-silence"],
  "5": ["retries.rotation-goes-on", "retries.every-kind-of-failure"],
  "6": ["retries.rotation-goes-on", "retries.every-kind-of-failure", "retries.late-silence"],
} as const;

export const retriesMutants: Mutants = {
  "first-attempts-never-leave": {
    fault: "the first attempt of a delivery's event is never sent",
    breaks: [{ clause: "RETRY-9" }],
    mutate: (deps) => {
      const started = new Set<string>();
      return alterPost((post) => (current, outgoing, signal) => {
        const attempt = `${outgoing.headers["webhook-id"]} ${outgoing.url}`;
        if (started.has(attempt) || outgoing.body.includes(TEST_KIND)) return post(current, outgoing, signal);
        started.add(attempt);
        throw new Error("the request has ended, so its webhooks are cancelled");
      })(deps);
    },
  },
  "first-attempt-waits-20-seconds": {
    fault: "the first attempt of a delivery's event is sent late",
    breaks: [{ clause: "RETRY-9" }],
    mutate: alterFirstDue((kind, dueAt) => dueAt + (kind === TEST_KIND ? 0 : 20_000)),
  },
  ...forEachElement(
    RETRY_NUMBERS,
    (attempt) => `attempt-${attempt}-too-early`,
    (attempt) => ({
      fault: `attempt ${attempt} is sent too early`,
      breaks: [{ clause: ATTEMPT_CLAUSES[attempt] }],
      caughtBy: ["retries.schedule", ...(attempt === "2" ? SECOND_ATTEMPT_CHECKS : [])],
      mutate: replaceDelay(Number(attempt) - 2, WRONG_DELAYS_S[attempt].early),
    }),
  ),
  ...forEachElement(
    RETRY_NUMBERS,
    (attempt) => `attempt-${attempt}-too-late`,
    (attempt) => ({
      fault: `attempt ${attempt} is sent too late`,
      breaks: [{ clause: ATTEMPT_CLAUSES[attempt] }],
      caughtBy: ["retries.schedule"],
      mutate: replaceDelay(Number(attempt) - 2, WRONG_DELAYS_S[attempt].late),
    }),
  ),
  "attempts-20-percent-early": {
    fault: "each retry delay is a fifth shorter than specified",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.schedule"],
    mutate: alterRetryDelays((delays) => delays.map((delay) => delay * 0.8)),
  },
  "third-attempt-skipped": {
    fault: "the retry schedule lacks the delay of five minutes",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.every-kind-of-failure", "retries.late-silence", "retries.schedule"],
    mutate: alterRetryDelays((delays) => delays.filter((delay) => delay !== 5 * MINUTE_S)),
  },
  "delays-double-each-time": {
    fault: "each retry delay is twice the previous one",
    breaks: [{ clause: "RETRY-11" }],
    caughtBy: ["retries.schedule"],
    mutate: alterRetryDelays((delays) => delays.map((_, index) => 5 * 2 ** index)),
  },
  ...forEachElement(
    ["4", "5", "6"] as const,
    (attempt) => `given-up-after-attempt-${attempt}`,
    (attempt) => ({
      fault: `an event is given up after attempt ${attempt}`,
      breaks: [{ clause: ATTEMPT_CLAUSES[NEXT_ATTEMPT[attempt]] }],
      caughtBy: GIVING_UP_CHECKS[attempt],
      mutate: alterRetryDelays((delays) => delays.slice(0, Number(attempt) - 1)),
    }),
  ),
  "seven-attempts": {
    fault: "an event is given up after the seventh attempt",
    breaks: [{ clause: "RETRY-16" }],
    mutate: alterRetryDelays((delays) => delays.slice(0, -1)),
  },
  "nine-attempts": {
    fault: "an event is sent a ninth time",
    breaks: [{ clause: "LIMIT-31" }],
    caughtBy: ["retries.every-kind-of-failure", "retries.late-silence", "retries.schedule"],
    mutate: alterRetryDelays((delays) => [...delays, 10 * HOUR_S]),
  },
  "retry-has-its-own-id": {
    fault: "each retry has a new webhook-id",
    breaks: [{ clause: "EVENT-35" }],
    caughtBy: ["retries.each-is-genuine", "retries.second-attempts"],
    mutate: alterRetriesAfter(1, () => ({ event_id: randomUUID() })),
  },
  "retry-without-items": {
    fault: "the data of a retry has no items",
    breaks: [{ clause: "EVENT-55" }],
    mutate: alterBodiesAfter(1, (key, value) => (key === "items" ? [] : value)),
  },
  "third-attempt-has-null-data": {
    fault: "an event's data is null from the third attempt on",
    breaks: [{ clause: "EVENT-55" }],
    caughtBy: ["retries.each-is-genuine", "retries.schedule"],
    mutate: alterBodiesAfter(2, (key, value) => (key === "data" ? null : value)),
  },
  "third-attempt-has-no-data": {
    fault: "an event has no data from the third attempt on",
    breaks: [{ clause: "EVENT-55" }],
    caughtBy: ["retries.each-is-genuine", "retries.schedule"],
    mutate: alterBodiesAfter(2, (key, value) => (key === "data" ? undefined : value)),
  },
  "third-attempt-has-cut-data": {
    fault: "an event's data is only the delivery's id and status from the third attempt on",
    breaks: [{ clause: "EVENT-55" }],
    caughtBy: ["retries.each-is-genuine", "retries.schedule"],
    mutate: alterBodiesAfter(2, (key, value) =>
      key === "data" && isObject(value) ? { id: value.id, status: value.status } : value,
    ),
  },
  "fifth-attempt-has-its-own-id": {
    fault: "each attempt from the fifth on has a new webhook-id",
    breaks: [{ clause: "EVENT-35" }],
    caughtBy: ["retries.schedule"],
    mutate: alterRetriesAfter(4, () => ({ event_id: randomUUID() })),
  },
  "retry-of-a-timeout-has-its-own-id": {
    fault: "retries after a timeout have a new webhook-id",
    breaks: [{ clause: "EVENT-35" }],
    caughtBy: ["retries.each-is-genuine"],
    mutate: newIdAfterTimeout,
  },
  "retry-keeps-the-first-timestamp": {
    fault: "retries are sent with the first attempt's timestamp and signature",
    breaks: [{ clause: "EVENT-38" }],
    mutate: (deps) => {
      const first = rememberFirst<Record<string, string>>();
      return alterAttemptHeaders((headers, dispatch) => first(dispatch, headers))(deps);
    },
  },
  "retry-keeps-the-first-signature": {
    fault: "retries have a new timestamp, but the first attempt's signature",
    breaks: [{ clause: "SIGN-5" }],
    caughtBy: ["retries.each-is-genuine", "retries.second-attempts"],
    mutate: (deps) => {
      const first = rememberFirst<string>();
      return alterAttemptHeaders(({ "webhook-signature": signature = "" }, dispatch) => ({
        "webhook-signature": first(dispatch, signature),
      }))(deps);
    },
  },
  "retry-is-signed-without-its-last-byte": {
    fault: "retries are signed for a body without its last byte",
    breaks: [{ clause: "SIGN-5" }],
    caughtBy: ["retries.each-is-genuine", "retries.second-attempts"],
    mutate: alterRetriesAfter(1, ({ body }) => ({ body: body.slice(0, -1) })),
  },
  "fifth-attempt-is-signed-without-its-last-byte": {
    fault: "attempts from the fifth on are signed for a body without its last byte",
    breaks: [{ clause: "SIGN-5" }],
    caughtBy: ["retries.schedule"],
    mutate: alterRetriesAfter(4, ({ body }) => ({ body: body.slice(0, -1) })),
  },
  "retry-url-loses-its-query": {
    fault: "retries are sent to the URL without its query",
    breaks: [{ clause: "RETRY-31" }],
    mutate: alterAttemptRequests(({ request }) => ({
      request(deps, dispatch, now) {
        const made = request(deps, dispatch, now);
        return dispatch.failures > 0 ? { ...made, url: made.url.replace(/\?.*/, "") } : made;
      },
    })),
  },
  "late-success-is-forgotten": {
    fault: "an event is retried after a success that followed more than three failures",
    breaks: breaking(["5", "6", "7"], "RETRY-17"),
    mutate: retryAfterSuccess((failures) => failures > 3),
  },
  ...forEachElement(
    elementsOf("attempts-between-first-and-last"),
    (attempt) => `success-of-attempt-${attempt}-is-forgotten`,
    (attempt) => ({
      fault: `an event is retried although attempt ${attempt} succeeded`,
      breaks: breaking(attempt, "RETRY-17"),
      mutate: retryAfterSuccess((failures) => [Number(attempt) - 1, Number(attempt)].includes(failures)),
    }),
  ),
};
