import { expect, test } from "vitest";
import { simulatedRun } from "../../testing/simulated-run.ts";

const TIME_SCALE = 0.1;

/** The number of attempts of the order that gets the outage. */
function triesInOutage(wait: (failures: number) => number, turnaroundMs = 2): number | undefined {
  const { orders } = simulatedRun({
    timeScale: TIME_SCALE,
    tries: 12,
    turnaround: () => turnaroundMs,
    wait: (failures, asked) => Math.max(wait(failures), asked ?? 0),
  });
  return orders.find(({ scenario }) => scenario?.name === "outage")?.tries.length;
}

const doubling = (failures: number) => 2 ** (failures - 1);

test.each([2, 100])("an outage ends once the waits have shown the limit, each %i ms late", (turnaroundMs) => {
  expect(triesInOutage((failures) => Math.min(doubling(failures), 60), turnaroundMs)).toBe(8);
});

test.each([
  ["grow without a limit", doubling],
  ["grow from less than a second without a limit", (failures: number) => 0.9375 * doubling(failures)],
  ["have a lower limit", (failures: number) => Math.min(doubling(failures), 30)],
  ["grow by a second", (failures: number) => failures],
] as const)("it lasts longer if the waits %s", (_, wait) => {
  expect(triesInOutage(wait)).toBe(10);
});

test("an outage lasts longer on a busy machine, where a wait of 64 s can't be distinguished from the limit", () => {
  expect(triesInOutage((failures) => Math.min(doubling(failures), 60), 200)).toBe(10);
});
