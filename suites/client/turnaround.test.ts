import { expect, test } from "vitest";
import { certifyClient } from "./certify.ts";
import { clientChecks } from "./checks/index.ts";
import { type ClientBehaviour, CORRECT_BEHAVIOUR } from "./reference-client/behaviour.ts";
import { ReferenceClient } from "./reference-client/client.ts";
import { startReferenceService } from "./reference-client/service.ts";

const checks = clientChecks.filter(({ id }) => ["backoff.grows", "retries.retry-after"].includes(id));
const everything = [...new Set(checks.flatMap((check): readonly string[] => check.scenarios))];
/** Single failures, so that all waits are first waits, and rate limits. */
const noOutage = everything.filter((name) => name !== "outage");

/** The turnarounds of this test's slow clients. */
const SLOW = { turnaroundMs: 30 };
const NO_BACKOFF: Partial<ClientBehaviour> = { wait: () => 0 };

async function judged(behaviour: Partial<ClientBehaviour>, timeScale: number, scenarios = noOutage) {
  const { outcomes } = await certifyClient({
    checks,
    scenarios,
    timeScale,
    seed: 20_261_122,
    startService: startReferenceService,
    client: (access) =>
      new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, ...behaviour }, timeScale).play(scenarios.length),
  });
  return outcomes;
}

test.concurrent("a slow client without any backoff isn't taken for one that waits, however fast time goes", async () => {
  const outcomes = await judged({ ...SLOW, ...NO_BACKOFF }, 0.05);
  expect(outcomes.get("backoff.grows")).toMatchObject({
    status: "not_testable",
    message: expect.stringMatching(/^the client takes up to \d+ ms .*: use --time-scale (0\.\d+ or more|1)$/),
  });
});

test.concurrent("in real time it is caught", async () => {
  const outcomes = await judged({ ...SLOW, ...NO_BACKOFF }, 1, everything);
  expect(outcomes.get("backoff.grows")?.status).toBe("failed");
  expect(outcomes.get("retries.retry-after")?.status).toBe("failed");
});

test.concurrent("a slow client that waits passes where its waits show", async () => {
  const outcomes = await judged(SLOW, 0.6);
  expect([...outcomes].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    "retries.retry-after passed",
    "backoff.grows passed",
  ]);
});
