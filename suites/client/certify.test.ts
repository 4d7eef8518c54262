import { expect, test } from "vitest";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { mutantNamed } from "../core/mutation/catching.ts";
import { certifyClient } from "./certify.ts";
import { clientChecks } from "./checks/index.ts";
import { clientMutants } from "./mutants/index.ts";
import { FAST_TIME_SCALE } from "./mutants/run-mutant.ts";
import { type ClientBehaviour, type ClientOrder, CORRECT_BEHAVIOUR } from "./reference-client/behaviour.ts";
import { ReferenceClient } from "./reference-client/client.ts";
import { startReferenceService } from "./reference-client/service.ts";
import { virtualClock } from "./session/run-clock.ts";
import { scenarioNames } from "./session/scenarios/scenarios.ts";
import { certifyVariant, SEED } from "./testing/certify-variant.ts";
import { located } from "./variants.ts";

const startService = startReferenceService;

/** Certifies a variant with these declarations. */
const declared = (without: readonly DeclarationName[], behaviour: Partial<ClientBehaviour>) =>
  certifyVariant({ behaviour, without });

test.concurrent("a client that never reaches a scenario is INCOMPLETE until it declares that", async () => {
  const { grade, trouble } = await declared([], { order: located });
  expect(grade.verdict).toBe("INCOMPLETE");
  expect(trouble).toEqual({
    "orders.no-zero-point": expect.stringMatching(/^not_verified: every order had coordinates: /),
  });
});

test.concurrent.each([
  ["first-page-only", "catch-up.to-the-end", "failed"],
  ["stops-at-empty-page", "catch-up.to-the-end", "failed"],
  ["repeats-lost-cursor", "catch-up.starts-again", "failed"],
  ["new-key-on-retry", "retries.same-key", "failed"],
  // Each start has another integrator, so one key for all starts proves nothing.
  ["one-key-for-all", "orders.new-key", "not_verified"],
] as const)("%s, with one order in each start, doesn't pass %s", async (name, id, status) => {
  const behaviour: Partial<ClientBehaviour> = mutantNamed(name, clientMutants).behaviour;
  let starts = 0;
  const clock = virtualClock();
  const { outcomes } = await certifyClient({
    clock,
    timeScale: FAST_TIME_SCALE,
    seed: SEED,
    startService,
    client: (access) => {
      starts += 1;
      const order = (one: ClientOrder) => ({ ...one, external_ref: `${one.external_ref}-${starts}` });
      const one = { ...CORRECT_BEHAVIOUR, ordersPerStart: 1, order, ...behaviour };
      return new ReferenceClient(access, one, FAST_TIME_SCALE, clock).play(scenarioNames.length);
    },
  });
  expect(outcomes.get(id)?.status).toBe(status);
});

test.concurrent("a declaration that the run disproves fails the run, which reports the observation", async () => {
  const { grade, declarations, trouble } = await declared(["orders-without-coordinates"], {});
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(trouble).toEqual({});
  expect(declarations).toMatchObject([
    {
      name: "orders-without-coordinates",
      disproved_by: [
        { check: "orders.no-zero-point", seen: expect.stringMatching(/^\d+ creations without coordinates$/) },
      ],
    },
  ]);
});

test.concurrent("a client that violates a rule that it declares inapplicable still fails", async () => {
  const { grade, trouble } = await declared(["orders-without-coordinates"], {
    order: (order) => ({ ...order, dropoff: { lat: 0, lng: 0, ...order.dropoff } }),
  });
  expect(grade.verdict).toBe("NONCONFORMANT");
  expect(Object.keys(trouble)).toEqual(["orders.no-zero-point"]);
});

test.concurrent("a client with its real backoff, in seconds", async () => {
  const clock = virtualClock();
  const { outcomes, trouble } = await certifyClient({
    checks: clientChecks.filter(({ id }) => id.startsWith("backoff.")),
    scenarios: ["outage"],
    clock,
    timeScale: 1,
    seed: SEED,
    startService,
    client: (access) => new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, tries: 4 }, 1, clock).play(1),
  });
  expect(trouble).toEqual({});
  const account = outcomes.get("backoff.grows")?.account?.find((line) => line.startsWith("waited")) ?? "";
  const waits = [...account.matchAll(/\d+\.\d+/g)].map(([seconds]) => Number(seconds));
  expect(waits.map((seconds, i) => seconds > 0.98 * 2 ** i)).toEqual([true, true, true]);
});

test.concurrent("a client that does nothing passes no check", async () => {
  const { outcomes } = await certifyClient({
    timeScale: FAST_TIME_SCALE,
    seed: SEED,
    startService,
    client: async () => {},
  });
  expect([...outcomes.values()].map(({ status }) => status)).toEqual(clientChecks.map(() => "not_verified"));
});
