import { expect, test } from "vitest";
import type { AttemptReport } from "../../../sandbox/operator/attempt-reports.ts";
import { attemptLine } from "./sandbox-log.ts";

const attempt: AttemptReport = {
  eventId: "e1",
  type: "delivery.created",
  version: 1,
  externalRef: "17",
  url: "http://localhost:3000/hooks",
  outcome: { status: 204 },
  took: 12,
  attempt: 1,
  nextIn: undefined,
  isDelivered: true,
  closes: false,
  isCopy: false,
};

test.each<[Partial<AttemptReport>, string]>([
  [{}, "204 in 12 ms"],
  [
    { outcome: { fault: "not answered in time" }, isDelivered: false, nextIn: 5_000 },
    "no response within 15 s; attempt 1 of 8, next attempt in 5 s",
  ],
  [
    { outcome: { status: 500 }, isDelivered: false, attempt: 3, nextIn: 1_800_000 },
    "500 in 12 ms; attempt 3 of 8, next attempt in 30 minutes",
  ],
  [
    { outcome: { fault: "ECONNREFUSED" }, isDelivered: false, attempt: 8 },
    "no response: nothing listens there; attempt 8 was the last",
  ],
  [
    { outcome: { fault: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, isDelivered: false, nextIn: 5_000 },
    "no response: its certificate's CA isn't trusted: trustReceiver adds it; attempt 1 of 8, next attempt in 5 s",
  ],
  [
    { outcome: { fault: "ESOMETHING" }, isDelivered: false, nextIn: 5_000 },
    "no response (ESOMETHING); attempt 1 of 8",
  ],
])("%j", (more, words) => {
  expect(attemptLine({ ...attempt, ...more }, false)).toContain(
    `delivery.created of order 17, version 1  ->  ${words}`,
  );
});

test("the endpoint is named if there are several", () => {
  expect(attemptLine(attempt, true)).toMatch(
    /^delivery\.created of order 17, version 1 {2}-> {2}http:\/\/localhost:3000\/hooks {2}-> {2}204 in/,
  );
});
