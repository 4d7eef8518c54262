import { describe, expect, test } from "vitest";
import { grade } from "../grade.ts";
import type { Outcome } from "../outcome.ts";
import { clientSuite } from "./client-suite.ts";
import { clientChecks } from "./index.ts";
import { GOOD_HABITS } from "./mutants/habits.ts";
import { type ClientMutant, clientMutants } from "./mutants/index.ts";
import { tryClient } from "./mutants/trial.ts";
import { TrialClient } from "./mutants/trial-client.ts";
import { SCENARIOS, scenarioNames } from "./scenarios.ts";
import { clientVariants } from "./variants.ts";

const SEED = 20_261_121;
const FAST = 0.02;
const LONGEST_MS = 60_000;
/** Orders for a catching-up that is interrupted twice. */
const FOR_PAGES = 12;

const suite = clientSuite();
const mutants: readonly (readonly [string, ClientMutant])[] = Object.entries(clientMutants);

const pageScenarios = scenarioNames.filter((name) =>
  Object.entries(SCENARIOS).some(([id, { target }]) => id === name && target === "page"),
);
const ordersFor = (scenarios: readonly string[]) => Math.max(scenarios.length, FOR_PAGES);

const verdictOf = (outcomes: ReadonlyMap<string, Outcome>) =>
  grade({
    levels: suite.levels,
    clauses: suite.clauses,
    checks: suite.checks.map(({ id, clauses }) => ({ id, clauses, status: outcomes.get(id)?.status })),
    claims: suite.levels,
    incomplete: false,
    strict: true,
  }).verdict;

const unhappy = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes]
    .filter(([, { status }]) => status !== "passed")
    .map(([id, { status, message, actual }]) => `${id}: ${status} ${message} ${actual}`);

describe("a client that keeps the rules is conformant, whatever it chooses where it may", () => {
  for (const [name, { habits, timeScale = FAST }] of Object.entries(clientVariants)) {
    test.concurrent(name, { timeout: LONGEST_MS }, async () => {
      const outcomes = await tryClient({
        checks: clientChecks,
        scenarios: scenarioNames,
        timeScale,
        seed: SEED,
        client: (access) =>
          new TrialClient(access, { ...GOOD_HABITS, ...habits }, timeScale).play(scenarioNames.length),
      });
      expect(unhappy(outcomes)).toEqual([]);
      expect(verdictOf(outcomes)).toBe("CONFORMANT");
    });
  }
});

describe("each mutant is caught by the checks that name it", () => {
  for (const [id, { habits, timeScale = FAST }] of mutants) {
    test.concurrent(id, { timeout: LONGEST_MS }, async () => {
      const naming = clientChecks.filter((check) => check.mutants.some((name) => name === id));
      const named = naming.flatMap(({ scenarios }) => scenarios);
      const scenarios = naming.some(({ id: check }) => check.startsWith("catch-up."))
        ? [...named, ...pageScenarios]
        : named;
      const outcomes = await tryClient({
        checks: naming,
        scenarios,
        timeScale,
        seed: SEED,
        client: (access) =>
          new TrialClient(access, { ...GOOD_HABITS, ...habits }, timeScale).play(ordersFor(scenarios)),
      });
      expect(
        [...outcomes].map(
          ([check, { status, message }]) =>
            `${check}: ${status === "failed" ? status : `${status} ${message}`}`,
        ),
      ).toEqual(naming.map((check) => `${check.id}: failed`));
    });
  }
});

test("every mutant is named by a check", () => {
  const named = new Set<string>(clientChecks.flatMap(({ mutants: ids }) => ids));
  expect(Object.keys(clientMutants).filter((id) => !named.has(id))).toEqual([]);
});

test("a client that does nothing passes nothing", async () => {
  const outcomes = await tryClient({
    checks: clientChecks,
    scenarios: scenarioNames,
    timeScale: FAST,
    seed: SEED,
    client: async () => {},
  });
  expect([...outcomes.values()].map(({ status }) => status)).toEqual(clientChecks.map(() => "not_testable"));
});
