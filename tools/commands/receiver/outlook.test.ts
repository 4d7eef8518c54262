import { expect, test } from "vitest";
import { jobsFor, outlookOf } from "./outlook.ts";

test.each([
  [300, 300, 96, true, 1, "the receiver takes 0.3 seconds to respond: this run takes about 7.1 seconds"],
  [300, 300, 96, false, 1, "the receiver takes 0.3 seconds to respond: this run takes about 4.3 seconds"],
  [4_000, 4_100, 96, true, 0.5, "the receiver takes 4 seconds to respond: this run takes about 47.6 seconds"],
  [4_000, 4_100, 8, true, 1, "the receiver takes 4 seconds to respond: this run takes about 8.8 minutes"],
  [300, 28_800, 25, true, 1, "the receiver takes 0.3 seconds to respond: this run takes about 4.7 minutes"],
])(
  "%i ms per response, %i ms for 96 concurrent ones, %i checks at a time, effects %s, share %d of all checks: %s",
  (one, ms, jobs, hasEffects, share, line) => {
    const latency = { one, burst: { size: 96, answered: 96, ms } };
    expect(outlookOf({ latency, jobs, share, hasEffects })).toBe(line);
  },
);

test("a fast receiver needs no estimate", () => {
  const latency = { one: 249, burst: undefined };
  expect(outlookOf({ latency, jobs: 8, share: 1, hasEffects: true })).toBeUndefined();
});

test.each([
  ["a fast receiver", 20, undefined, 8],
  ["a slow one that processes all concurrently", 4_000, { size: 96, answered: 96, ms: 4_000 }, 96],
  ["a slow one that processes ten, and refuses the others", 4_000, { size: 96, answered: 10, ms: 4_000 }, 5],
  ["a slow one that processes 48 at a time", 4_000, { size: 96, answered: 96, ms: 8_000 }, 90],
  ["one that processes one at a time, each in 300 ms", 300, { size: 8, answered: 8, ms: 2_400 }, 25],
  ["one that processes one at a time, each in 4 s", 4_000, { size: 8, answered: 8, ms: 32_000 }, 1],
  ["one that processes one at a time, each in 10 s", 10_000, { size: 8, answered: 8, ms: 80_000 }, 1],
])("%s gets as many concurrent events as it can process in time: %i ms, %j, %i", (_, one, burst, jobs) => {
  expect(jobsFor({ one, burst })).toBe(jobs);
});
