import { describe, expect, test } from "vitest";
import { grade } from "../core/grade.ts";
import type { Outcome } from "../core/outcome.ts";
import { clientChecks } from "./checks/index.ts";
import { FAST, tryClient } from "./mutants/run-mutant.ts";
import { GOOD_HABITS } from "./reference-client/behaviour.ts";
import { TrialClient } from "./reference-client/client.ts";
import { scenarioNames } from "./session/scenarios.ts";
import { clientSuite } from "./suite.ts";
import { clientVariants } from "./variants.ts";

const SEED = 20_261_121;
const LONGEST_MS = 60_000;

const suite = clientSuite();

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

test("the real backoff, in real seconds", { timeout: LONGEST_MS }, async () => {
  const outcomes = await tryClient({
    checks: clientChecks.filter(({ id }) => id.startsWith("backoff.")),
    scenarios: ["outage"],
    timeScale: 1,
    seed: SEED,
    client: (access) => new TrialClient(access, { ...GOOD_HABITS, tries: 4 }, 1).play(1),
  });
  expect(unhappy(outcomes)).toEqual([]);
  const [account = ""] = outcomes.get("backoff.grows")?.account ?? [];
  const waits = [...account.matchAll(/\d+\.\d+/g)].map(([seconds]) => Number(seconds));
  expect(waits.map((seconds, i) => seconds > 0.98 * 2 ** i)).toEqual([true, true, true]);
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
