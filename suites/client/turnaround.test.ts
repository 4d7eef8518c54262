import { expect, test } from "vitest";
import { certifyClient } from "./certify.ts";
import { clientChecks } from "./checks/index.ts";
import { backoff, type ClientBehaviour, CORRECT_BEHAVIOUR } from "./reference-client/behaviour.ts";
import { ReferenceClient } from "./reference-client/client.ts";
import { startReferenceService } from "./reference-client/service.ts";
import { virtualClock } from "./session/run-clock.ts";
import type { ScenarioName } from "./session/scenarios/scenarios.ts";

const checks = clientChecks.filter(({ id }) => ["backoff.grows", "retries.retry-after"].includes(id));
const everything = [...new Set(checks.flatMap((check): readonly ScenarioName[] => check.scenarios))];
/** Scenarios of single failures, so that all waits are first waits, and of rate limits. */
const noOutage = everything.filter((name) => name !== "outage");

/** The turnarounds of this test's slow clients. */
const SLOW = { turnaroundMs: 30 };
const NO_BACKOFF: Partial<ClientBehaviour> = { wait: () => 0 };

async function judged(
  behaviour: Partial<ClientBehaviour>,
  timeScale: number,
  scenarios: readonly ScenarioName[] = noOutage,
) {
  const clock = virtualClock();
  const { outcomes } = await certifyClient({
    checks,
    scenarios,
    timeScale,
    clock,
    seed: 20_261_122,
    startService: startReferenceService,
    client: (access) =>
      new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, ...behaviour }, timeScale, clock).play(
        scenarios.length,
      ),
  });
  return outcomes;
}

test.concurrent("a slow client without a backoff isn't mistaken for a client that waits, at any time scale", async () => {
  const outcomes = await judged({ ...SLOW, ...NO_BACKOFF }, 0.05);
  expect(outcomes.get("backoff.grows")?.status).toBe("failed");
});

/** Scenarios with a single failure of an order, and of each other call. */
const FIRST_WAITS = [
  "server-error",
  "token-unavailable",
  "store-unavailable",
  "quote-server-error",
  "change-unavailable",
  "cancel-server-error",
  "page-unavailable",
] as const;

/** Seconds by which a busy machine delays an immediate retry, evenly distributed. */
function lateness(): () => number {
  let part = 0;
  return () => {
    part = (part + 0.618_034) % 1;
    return 0.03 + 0.14 * part;
  };
}

test.concurrent("a client that waits only before orders is detected although a busy machine lengthens its other gaps", async () => {
  const late = lateness();
  const wait: ClientBehaviour["wait"] = (failures, reply, kind) =>
    Math.max(kind === "order" ? backoff(failures) : late(), reply?.retryAfter ?? 0);
  const outcomes = await judged({ wait, tries: 3 }, 1, FIRST_WAITS);
  expect(outcomes.get("backoff.grows")?.status).toBe("failed");
});

test.concurrent("a client that doesn't wait after network errors is detected too", async () => {
  const late = lateness();
  const wait: ClientBehaviour["wait"] = (failures, reply) =>
    reply === undefined ? late() : Math.max(backoff(failures), reply.retryAfter ?? 0);
  const outcomes = await judged({ wait, tries: 5, keepAlive: false, usesQuotesAndChanges: false }, 1, [
    "reset",
    "bad-gateway",
  ]);
  expect(outcomes.get("backoff.grows")?.status).toBe("failed");
});

test.concurrent("a slow client without a backoff is detected at time scale 1", async () => {
  const outcomes = await judged({ ...SLOW, ...NO_BACKOFF }, 1, everything);
  expect(outcomes.get("backoff.grows")?.status).toBe("failed");
  expect(outcomes.get("retries.retry-after")?.status).toBe("failed");
});

test.concurrent("a slow client that waits passes if its waits are measurable", async () => {
  const outcomes = await judged(SLOW, 0.6);
  expect([...outcomes].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    "retries.retry-after passed",
    "backoff.grows passed",
  ]);
});
