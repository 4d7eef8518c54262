import { expect, test } from "vitest";
import { isAlone, isExperiment } from "./check.ts";
import { experiments } from "./checks/index.ts";
import { ROUNDS } from "./rounds/check-rounds.ts";
import { longestFirst } from "./rounds/rounds.ts";
import { expectedMs, jobsFor, outrunsTokens } from "./schedule.ts";
import { MOST_IN_FLIGHT } from "./session/limits/in-flight.ts";

test("what was measured is of checks that there are", () => {
  const ids = experiments.filter(isExperiment).map(({ id }) => id);
  expect(Object.keys(ROUNDS).filter((id) => !ids.includes(id))).toEqual([]);
});

test("the longest comes first, and equals stay in their order", () => {
  const given = ["health.ok", "models.paging", "an.unknown-one", "models.life-with-a-courier"];
  const ids = longestFirst(given.map((id) => ({ id }))).map(({ id }) => id);
  expect(ids.slice(0, 2).toSorted()).toEqual(["models.life-with-a-courier", "models.paging"]);
  expect(ids.slice(2)).toEqual(["health.ok", "an.unknown-one"]);
});

test("what waits anyway comes before all others, the longer the sooner", () => {
  const given = [
    { id: "models.paging" },
    { id: "waits.a-second", waitsAnyway: 1 },
    { id: "waits.three", waitsAnyway: 3 },
  ];
  const ids = longestFirst(given).map(({ id }) => id);
  expect(ids).toEqual(["waits.three", "waits.a-second", "models.paging"]);
});

test("the farther the target, the more checks at a time, up to half as many again as may be in flight", () => {
  expect(jobsFor(0.5)).toBe(16);
  expect(jobsFor(8)).toBeGreaterThan(16);
  expect(jobsFor(8)).toBeLessThan(MOST_IN_FLIGHT);
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
  const last = experiments.filter(({ alone }) => alone === "last");
  const arranged = longestFirst(experiments).filter(({ alone }) => alone === "last");
  expect(arranged).toEqual(last);
});

test("all checks want more tokens than an address has in a minute, and those that share integrators don't", () => {
  expect(outrunsTokens(experiments)).toBe(true);
  expect(outrunsTokens(experiments.filter((check) => !isAlone(check)))).toBe(false);
});
