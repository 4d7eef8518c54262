import { expect, test } from "vitest";
import { usesIntegratorAlone } from "../check.ts";
import { experiments } from "../checks/index.ts";
import { MAX_IN_FLIGHT } from "../session/limits/in-flight.ts";
import { expectedMs, jobsFor, longestFirst, outrunsTokens } from "./schedule.ts";

const idsOf = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id);

test("the longest of the last run comes first, and equals keep their order", () => {
  const given = [{ id: "a" }, { id: "b" }, { id: "c", minRealSeconds: 1 }, { id: "d" }];
  expect(idsOf(longestFirst(given, { d: 3000, c: 2000 }))).toEqual(["d", "c", "a", "b"]);
});

test("without a last run, checks that wait come first, and then those known to be long", () => {
  const given = [
    { id: "health.ok" },
    { id: "models.paging" },
    { id: "waits.a-second", minRealSeconds: 1 },
    { id: "waits.three", minRealSeconds: 3 },
  ];
  expect(idsOf(longestFirst(given))).toEqual(["waits.three", "waits.a-second", "models.paging", "health.ok"]);
});

test("the farther the target, the more checks at a time, up to half as many again as may be in flight", () => {
  expect(jobsFor(0.5)).toBe(16);
  expect(jobsFor(8)).toBeGreaterThan(16);
  expect(jobsFor(8)).toBeLessThan(MAX_IN_FLIGHT);
  expect(jobsFor(100)).toBe(48);
  expect(jobsFor(3000)).toBe(48);
});

test("a run is expected to take longer the farther its target, and less with more at a time", () => {
  const near = expectedMs(experiments, { latencyMs: 100, jobs: 32 });
  expect(expectedMs(experiments, { latencyMs: 300, jobs: 32 })).toBeGreaterThan(2 * near);
  expect(expectedMs(experiments, { latencyMs: 100, jobs: 1 })).toBeGreaterThan(3 * near);
  expect(expectedMs([], { latencyMs: 0, jobs: 8 })).toBe(0);
});

test("what runs last stays in its order", () => {
  const last = experiments.filter(({ isolation }) => isolation === "runs-last");
  const arranged = longestFirst(experiments).filter(({ isolation }) => isolation === "runs-last");
  expect(arranged).toEqual(last);
});

test("all checks want more tokens than an address has in a minute, and those that share integrators don't", () => {
  expect(outrunsTokens(experiments)).toBe(true);
  expect(outrunsTokens(experiments.filter((check) => !usesIntegratorAlone(check)))).toBe(false);
});
