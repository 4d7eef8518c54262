import { expect, test } from "vitest";
import { Unavailability } from "./unavailability.ts";

const answer = {
  operation: "getDelivery",
  status: 503,
  isRetryable: true,
  askedMs: undefined,
  repeats: 0,
} as const;

const waitsOf = (unavailability: Unavailability, of: Partial<Parameters<Unavailability["waitMs"]>[0]>) =>
  [0, 1, 2, 3, 4].map((repeats) => unavailability.waitMs({ ...answer, ...of, repeats }));

test("a service that is away is asked again ever more seldom, and then no more", () => {
  expect(waitsOf(new Unavailability(), {})).toEqual([1_000, 2_000, 4_000, undefined, undefined]);
});

test("what stays away is waited for once in a run, and the rest goes on", () => {
  const unavailability = new Unavailability();
  waitsOf(unavailability, {});
  expect(unavailability.waitMs(answer)).toBe(undefined);
  expect(unavailability.waitMs({ ...answer, operation: "getStore" })).toBe(1_000);
});

test.each([
  [1_500, 1_500],
  [0, 0],
  [60_000, 5_000],
])("where %i ms are asked for, it is %i", (askedMs, wait) => {
  expect(new Unavailability().waitMs({ ...answer, askedMs })).toBe(wait);
});

test.each([
  [502, true, 1_000],
  [504, true, 1_000],
  [502, false, undefined],
  [504, false, undefined],
  [503, false, 1_000],
  [500, true, undefined],
  [501, true, undefined],
  [429, true, undefined],
  [200, true, undefined],
])("%i to a request that does no harm twice (%s): %s", (status, isRetryable, wait) => {
  expect(new Unavailability().waitMs({ ...answer, status, isRetryable })).toBe(wait);
});
