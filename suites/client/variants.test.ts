import { describe, expect, test } from "vitest";
import { certifyClient } from "./certify.ts";
import { clientChecks } from "./checks/index.ts";
import { FAST_TIME_SCALE } from "./mutants/run-mutant.ts";
import { CORRECT_BEHAVIOUR } from "./reference-client/behaviour.ts";
import { ReferenceClient } from "./reference-client/client.ts";
import { startReferenceService } from "./reference-client/service.ts";
import { scenarioNames } from "./session/scenarios.ts";
import { clientVariants } from "./variants.ts";

const SEED = 20_261_121;
const TIMEOUT_MS = 60_000;

const startService = startReferenceService;

/** How long a client waits can't be seen in such a hurry: timing.test.ts and the field gate look at these. */
const TIMED = ["backoff.grows", "retries.retry-after"];
const untimed = clientChecks.filter(({ id }) => !TIMED.includes(id));

describe("a client that keeps the rules is conformant, whatever it chooses where it may", () => {
  for (const [name, { behaviour, timeScale = FAST_TIME_SCALE }] of Object.entries(clientVariants)) {
    test.concurrent(name, { timeout: TIMEOUT_MS }, async () => {
      const { grade, trouble } = await certifyClient({
        checks: untimed,
        timeScale,
        seed: SEED,
        startService,
        client: (access) =>
          new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, ...behaviour }, timeScale).play(
            scenarioNames.length,
          ),
      });
      expect(trouble).toEqual({});
      expect(grade.verdict).toBe("CONFORMANT");
    });
  }
});

test("the real backoff, in real seconds", { timeout: TIMEOUT_MS }, async () => {
  const { outcomes, trouble } = await certifyClient({
    checks: clientChecks.filter(({ id }) => id.startsWith("backoff.")),
    scenarios: ["outage"],
    timeScale: 1,
    seed: SEED,
    startService,
    client: (access) => new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, tries: 4 }, 1).play(1),
  });
  expect(trouble).toEqual({});
  const account = outcomes.get("backoff.grows")?.account?.find((line) => line.startsWith("waited")) ?? "";
  const waits = [...account.matchAll(/\d+\.\d+/g)].map(([seconds]) => Number(seconds));
  expect(waits.map((seconds, i) => seconds > 0.98 * 2 ** i)).toEqual([true, true, true]);
});

test("a client that does nothing passes nothing", async () => {
  const { outcomes } = await certifyClient({
    timeScale: FAST_TIME_SCALE,
    seed: SEED,
    startService,
    client: async () => {},
  });
  expect([...outcomes.values()].map(({ status }) => status)).toEqual(clientChecks.map(() => "not_testable"));
});
