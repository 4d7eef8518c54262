import { expect, test } from "vitest";
import { usesIntegratorAlone } from "../check.ts";
import { activeChecks } from "../checks/index.ts";
import { MAX_IN_FLIGHT } from "../session/limits/in-flight.ts";
import { exceedsTokenLimit, expectedMs, jobsFor, longestFirst } from "./schedule.ts";

const idsOf = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id);

test("the longest checks of the last run come first, and equal ones keep their order", () => {
  const given = [{ id: "a" }, { id: "b" }, { id: "c", minRealSeconds: 1 }, { id: "d" }];
  expect(idsOf(longestFirst(given, { d: 3000, c: 2000 }))).toEqual(["d", "c", "a", "b"]);
});

test("without a last run, checks with waits come first, then long ones", () => {
  const given = [
    { id: "health.ok" },
    { id: "models.paging" },
    { id: "waits.a-second", minRealSeconds: 1 },
    { id: "waits.three", minRealSeconds: 3 },
  ];
  expect(idsOf(longestFirst(given))).toEqual(["waits.three", "waits.a-second", "models.paging", "health.ok"]);
});

test("more latency means more concurrent checks, up to 1.5 times the pending requests", () => {
  expect(jobsFor(0.5)).toBe(16);
  expect(jobsFor(8)).toBeGreaterThan(16);
  expect(jobsFor(8)).toBeLessThan(MAX_IN_FLIGHT);
  expect(jobsFor(100)).toBe(48);
  expect(jobsFor(3000)).toBe(48);
});

test("the expected duration grows with latency, and shrinks with concurrency", () => {
  const near = expectedMs(activeChecks, { latencyMs: 100, jobs: 32 });
  expect(expectedMs(activeChecks, { latencyMs: 300, jobs: 32 })).toBeGreaterThan(2 * near);
  expect(expectedMs(activeChecks, { latencyMs: 100, jobs: 1 })).toBeGreaterThan(3 * near);
  expect(expectedMs([], { latencyMs: 0, jobs: 8 })).toBe(0);
});

test("checks that run last keep their order", () => {
  const last = activeChecks.filter(({ isolation }) => isolation === "runs-last");
  const arranged = longestFirst(activeChecks).filter(({ isolation }) => isolation === "runs-last");
  expect(arranged).toEqual(last);
});

test("all checks need more tokens than an IP address gets in a minute, checks that share integrators don't", () => {
  expect(exceedsTokenLimit(activeChecks)).toBe(true);
  expect(exceedsTokenLimit(activeChecks.filter((check) => !usesIntegratorAlone(check)))).toBe(false);
});
