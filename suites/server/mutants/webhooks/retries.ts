import { randomUUID } from "node:crypto";
import type { Mutant } from "../mutant.ts";
import {
  alterAttemptHeaders,
  alterAttemptRequests,
  alterRetryDelays,
  alterSettlement,
  rememberFirst,
} from "../operators/webhooks.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const replaced = (index: number, seconds: number) =>
  alterRetryDelays((delays) => delays.map((delay, at) => (at === index ? seconds : delay)));

/** A delivery that was taken after failures is put back in the schedule, as if it had failed again. */
const forgetting = (isForgotten: (failures: number) => boolean) =>
  alterSettlement(({ state, failures, due_at }) =>
    state === "DELIVERED" && isForgotten(failures)
      ? { state: "PENDING", failures: failures + 1, due_at: due_at + HOUR * 1000 }
      : {},
  );

/** Schedules that differ from the table, and retries that aren't the event's. */
export const retriesMutants = {
  "first-attempt-waits-a-minute": {
    fault: "a delivery's event is sent a minute late",
    mutate: (parts) => {
      const tests = new Set<string>();
      const { events, outbox } = parts.records;
      return {
        ...parts,
        records: {
          ...parts.records,
          events: {
            ...events,
            insert: (tx, row) => {
              if (row.type === "webhook.test") tests.add(row.id);
              return events.insert(tx, row);
            },
          },
          outbox: {
            ...outbox,
            insert: (tx, sending, dueAt) =>
              outbox.insert(tx, sending, dueAt + (tests.has(sending.event_id) ? 0 : MINUTE * 1000)),
          },
        },
      };
    },
  },
  "second-attempt-after-a-minute": {
    fault: "the second attempt follows after a minute",
    mutate: replaced(0, MINUTE),
  },
  "third-attempt-left-out": {
    fault: "the step of five minutes is missing from the schedule",
    mutate: alterRetryDelays((delays) => delays.filter((delay) => delay !== 5 * MINUTE)),
  },
  "delays-that-double": {
    fault: "each delay is twice the one before",
    mutate: alterRetryDelays((delays) => delays.map((_, index) => 5 * 2 ** index)),
  },
  "fourth-attempt-after-ten-minutes": {
    fault: "the fourth attempt follows after ten minutes",
    mutate: replaced(2, 10 * MINUTE),
  },
  "fifth-attempt-after-an-hour": {
    fault: "the fifth attempt follows after an hour",
    mutate: replaced(3, HOUR),
  },
  "sixth-attempt-after-a-day": {
    fault: "the sixth attempt follows after a day",
    mutate: replaced(4, 24 * HOUR),
  },
  "last-attempts-five-hours-apart": {
    fault: "the last attempts are five hours apart",
    mutate: alterRetryDelays((delays) => delays.map((delay) => Math.min(delay, 5 * HOUR))),
  },
  "seven-attempts": {
    fault: "an event is given up after the seventh attempt",
    mutate: alterRetryDelays((delays) => delays.slice(0, -1)),
  },
  "nine-attempts": {
    fault: "an event is sent a ninth time",
    mutate: alterRetryDelays((delays) => [...delays, 10 * HOUR]),
  },
  "retry-has-an-id-of-its-own": {
    fault: "each retry has a webhook-id of its own, and is signed for that",
    mutate: alterAttemptRequests(({ headers }) => ({
      headers: (parts, dispatch, secret, now) =>
        headers(
          parts,
          dispatch.failures > 0 ? { ...dispatch, event_id: randomUUID() } : dispatch,
          secret,
          now,
        ),
    })),
  },
  "retry-keeps-the-first-timestamp": {
    fault: "retries are sent with the first attempt's timestamp and signature",
    mutate: (parts) => {
      const first = rememberFirst<Record<string, string>>();
      return alterAttemptHeaders((headers, dispatch) => first(dispatch, headers))(parts);
    },
  },
  "retry-keeps-the-first-signature": {
    fault: "retries have a timestamp of their own and the first attempt's signature",
    mutate: (parts) => {
      const first = rememberFirst<string>();
      return alterAttemptHeaders(({ "webhook-signature": signature = "" }, dispatch) => ({
        "webhook-signature": first(dispatch, signature),
      }))(parts);
    },
  },
  "retry-is-signed-without-its-last-byte": {
    fault: "retries are signed for a body whose end was cut off",
    mutate: alterAttemptRequests(({ headers }) => ({
      headers: (parts, dispatch, secret, now) =>
        headers(
          parts,
          dispatch.failures > 0 ? { ...dispatch, body: dispatch.body.slice(0, -1) } : dispatch,
          secret,
          now,
        ),
    })),
  },
  "late-success-is-forgotten": {
    fault: "a success after more than three failures is repeated like a failure",
    mutate: forgetting((failures) => failures > 3),
  },
  "success-of-the-second-is-forgotten": {
    fault: "a success of the second attempt is repeated like a failure",
    mutate: forgetting((failures) => failures === 1),
  },
} satisfies Record<string, Mutant>;
