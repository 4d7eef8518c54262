import { expect, test } from "vitest";
import type { Outcome } from "./grading/outcome.ts";
import { inSequence, runChecks, runOrder } from "./run-checks.ts";

const PASSED: Outcome = { status: "passed", duration_ms: 0, requests: 0 };

/** Runs checks that give way to each other once, and tells what began and ended, in order. */
async function traceOf(order: Parameters<typeof runChecks>[0], jobs?: number): Promise<readonly string[]> {
  const trace: string[] = [];
  const outcomes = await runChecks(
    order,
    async ({ id }) => {
      trace.push(`${id} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      trace.push(`${id} ends`);
      return PASSED;
    },
    jobs,
  );
  const all = [...order.concurrent, ...order.serial].map(({ id }) => id);
  expect([...outcomes.keys()].toSorted()).toEqual(all.toSorted());
  return trace;
}

const checks = ["a", "last-1", "b", "last-2", "c"].map((id) => ({ id }));
const order = runOrder(checks, ({ id }) => id.startsWith("last"));

test("as many run beside each other as there are jobs; what is serial runs after all others, one at a time", async () => {
  const trace = await traceOf(order, 2);
  expect(trace.slice(0, 2)).toEqual(["a begins", "b begins"]);
  expect(trace.indexOf("c begins")).toBeGreaterThan(trace.indexOf("a ends"));
  expect(trace.slice(6)).toEqual(["last-1 begins", "last-1 ends", "last-2 begins", "last-2 ends"]);
});

test("in sequence each begins when the one before it has ended", async () => {
  const trace = await traceOf(inSequence(checks));
  expect(trace).toEqual(checks.flatMap(({ id }) => [`${id} begins`, `${id} ends`]));
});
