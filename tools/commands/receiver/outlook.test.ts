import { expect, test } from "vitest";
import { jobsFor, outlookOf } from "./outlook.ts";

test.each([
  [300, 300, 24, 1, "the receiver takes 0.3 seconds to answer: this will take about 38.1 seconds"],
  [300, 310, 4, 1, "the receiver takes 0.3 seconds to answer: this will take about 1.2 minutes"],
  [4_000, 4_100, 24, 0.5, "the receiver takes 4 seconds to answer: this will take about 4.2 minutes"],
  [300, 7_200, 24, 1, "the receiver takes 0.3 seconds to answer: this will take about 4.7 minutes"],
])(
  "answers of %i ms, of 24 at once in %i ms, %i checks at a time, %d of all: %s",
  (one, atOnce, jobs, share, line) => {
    expect(outlookOf({ latency: { one, atOnce }, jobs, share })).toBe(line);
  },
);

test("fast answers need no estimate", () => {
  expect(outlookOf({ latency: { one: 249, atOnce: undefined }, jobs: 8, share: 1 })).toBeUndefined();
});

test.each([
  ["a fast receiver", undefined, 8],
  ["a slow one that answers all at once", 4_000, 24],
  ["a slow one that answers eight at a time", 12_000, 15],
  ["one that answers one at a time, each in 300 ms", 7_200, 24],
  ["one that answers one at a time, each in 2 s", 48_000, 3],
  ["one that answers one at a time, each in 10 s", 240_000, 1],
])("%s: 24 events at once in %i ms are %i checks at a time", (_, atOnce, jobs) => {
  expect(jobsFor({ one: 300, atOnce })).toBe(jobs);
});
