import { expect, test } from "vitest";
import { jobsFor, outlookOf } from "./outlook.ts";

test.each([
  [300, 8, 1, "the receiver takes 0.3 seconds to answer: this will take about 49.9 seconds"],
  [300, 16, 1, "the receiver takes 0.3 seconds to answer: this will take about 41.4 seconds"],
  [300, 4, 1, "the receiver takes 0.3 seconds to answer: this will take about 1.2 minutes"],
  [4_000, 8, 0.5, "the receiver takes 4 seconds to answer: this will take about 5.5 minutes"],
])("answers of %i ms, %i checks at a time, %d of all: %s", (answerMs, jobs, share, line) => {
  expect(outlookOf({ answerMs, jobs, share })).toBe(line);
});

test("fast answers need no estimate", () => {
  expect(outlookOf({ answerMs: 249, jobs: 8, share: 1 })).toBeUndefined();
});

test.each([
  [20, 8],
  [300, 16],
  [468, 16],
  [469, 8],
  [4_000, 8],
])("a receiver that takes %i ms to answer: %i checks at a time", (answerMs, jobs) => {
  expect(jobsFor(answerMs)).toBe(jobs);
});
