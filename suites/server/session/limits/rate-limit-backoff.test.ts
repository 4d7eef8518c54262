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

/** Repeats a request until the 429 counts as the target's response. */
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

test("a repeated retry-after of one second is obeyed for as long as a window may last", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 1_000);
  expect(sum(waits)).toBe(LONGEST_REFUSAL_MS);
  expect(waits.slice(0, 3)).toEqual([1_000, 1_000, 1_000]);
});

test("a target with a retry-after of 0 isn't flooded", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 0);
  expect(sum(waits)).toBe(LONGEST_REFUSAL_MS);
  expect(waits.length).toBeLessThan(40);
});

test("a target with a retry-after of an hour gets the request again after a minute", () => {
  const waits = untilGivenUp(patience(), { operation: "createDelivery", budgets: [budget()] }, 3_600_000);
  expect(waits[0]).toBe(65_000);
});

test("the integrator's next request doesn't wait again for the same limit", () => {
  const [timed, shared] = [patience(), budget()];
  untilGivenUp(timed, { operation: "createDelivery", budgets: [shared] }, 1_000);
  expect(timed.limits.refused({ operation: "listStores", budgets: [shared] }, 1_000, 0)).toBeUndefined();
  expect(timed.limits.refused({ operation: "listStores", budgets: [budget()] }, 1_000, 0)).toBe(1_000);
});

test("another integrator's request of the same operation doesn't wait again either", () => {
  const timed = patience();
  untilGivenUp(timed, { operation: "createDelivery", budgets: [budget()] }, 1_000);
  expect(
    timed.limits.refused({ operation: "createDelivery", budgets: [budget()] }, 1_000, 0),
  ).toBeUndefined();
});

test("another status restarts the count", () => {
  const timed = patience();
  const request = { operation: "createDelivery", budgets: [budget()] } as const;
  untilGivenUp(timed, request, 1_000);
  timed.limits.answered(request);
  expect(timed.limits.refused(request, 1_000, 0)).toBe(1_000);
});
