import { expect, test } from "vitest";
import { LONGEST_REFUSAL_MS, RateLimitBackoff } from "./rate-limit-backoff.ts";
import { RequestBudget } from "./request-budget.ts";

const budget = () => new RequestBudget("a limit", 100, () => {});

function patience() {
  let now = 0;
  return {
    limits: new RateLimitBackoff(() => now),
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

/** Sends a request again and again until the 429 is its answer. */
function untilGivenUp(
  { limits, pass }: ReturnType<typeof patience>,
  request: Parameters<RateLimitBackoff["refused"]>[0],
  askedMs: number,
) {
  const waits: number[] = [];
  for (;;) {
    const wait = limits.refused(request, askedMs, waits.length);
    if (wait === undefined) return waits;
    waits.push(wait);
    pass(wait);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test("a target that asks for a second each time is waited for as long as its window may last", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 1_000);
  expect(sum(waits)).toBe(LONGEST_REFUSAL_MS);
  expect(waits.slice(0, 3)).toEqual([1_000, 1_000, 1_000]);
});

test("one that asks for no wait at all isn't flooded", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 0);
  expect(sum(waits)).toBe(LONGEST_REFUSAL_MS);
  expect(waits.length).toBeLessThan(40);
});

test("one that asks for an hour is asked again after a minute", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 3_600_000);
  expect(waits[0]).toBe(65_000);
});

test("what was waited out for one request isn't waited out again by the next of the identity", () => {
  const [timed, shared] = [patience(), budget()];
  untilGivenUp(timed, { operation: "createDelivery", budgets: [shared] }, 1_000);
  expect(timed.limits.refused({ operation: "listStores", budgets: [shared] }, 1_000, 0)).toBeUndefined();
  expect(timed.limits.refused({ operation: "listStores", budgets: [budget()] }, 1_000, 0)).toBe(1_000);
});

test("nor by another identity's of the same operation", () => {
  const timed = patience();
  untilGivenUp(timed, { operation: "createDelivery", budgets: [budget()] }, 1_000);
  expect(
    timed.limits.refused({ operation: "createDelivery", budgets: [budget()] }, 1_000, 0),
  ).toBeUndefined();
});

test("an answer of another kind begins the count anew", () => {
  const timed = patience();
  const request = { operation: "createDelivery", budgets: [budget()] } as const;
  untilGivenUp(timed, request, 1_000);
  timed.limits.answered(request);
  expect(timed.limits.refused(request, 1_000, 0)).toBe(1_000);
});
