import { expect, test } from "vitest";
import { formatInstant } from "../../../reference-server/domain/instants.ts";
import type { Capability } from "../capabilities.ts";
import { isActive } from "../check.ts";
import { checks } from "../checks/index.ts";
import type { Mutate } from "../mutants/mutant.ts";
import { compose } from "../mutants/operators/compose.ts";
import { respondWith } from "../mutants/operators/operations.ts";
import { control, outcomesOn } from "../testing/outcomes-on.ts";

const OTHER_NEEDS: readonly Capability[] = ["receiver", "courier"];
const concerned = checks.filter((check) => {
  const needs: readonly Capability[] = isActive(check) ? check.needs : [];
  return needs.includes("clock") && !needs.some((need) => OTHER_NEEDS.includes(need));
});

/** Makes every integrator sign in with its credentials. */
const withoutIssueToken = control(({ describeControl }) => ({
  async describeControl(call) {
    const { body } = await describeControl(call);
    return respondWith(200, { ...body, operations: body.operations.filter((name) => name !== "issueToken") });
  },
}));

const onlySaysSo: Mutate = (deps) => {
  const passed = new Map<string, number>();
  return control(() => ({
    async advanceClock({ path, body }) {
      const ms = (passed.get(path.client_id) ?? 0) + body.seconds * 1000;
      passed.set(path.client_id, ms);
      return respondWith(200, { now: formatInstant(deps.clock.now() + ms) });
    },
  }))(deps);
};

const withCredentials = (change: (secret: string) => string): Mutate =>
  control(({ createIntegrator }) => ({
    async createIntegrator(call) {
      const { body } = await createIntegrator(call);
      return respondWith(201, { ...body, client_secret: change(body.client_secret) });
    },
  }));

test.each<[string, Mutate, RegExp]>([
  ["a clock that only says that it moved", onlySaysSo, /it doesn't advance the service's clock$/],
  [
    "credentials that the token endpoint refuses",
    withCredentials((secret) => secret.slice(1)),
    /createIntegrator returned credentials that the token endpoint refuses/,
  ],
  [
    "credentials without a secret",
    withCredentials(() => ""),
    /response to createIntegrator doesn't match openapi\/control\.yaml: client_secret/,
  ],
])("%s is the control interface's fault, and no check fails for it", async (_, mutate, message) => {
  expect(concerned.length).toBeGreaterThan(5);
  const outcomes = await outcomesOn(compose(mutate, withoutIssueToken), concerned.slice(0, 8));
  expect([...outcomes].map(([id, { status }]) => [id, status])).toEqual(
    [...outcomes].map(([id]) => [id, "not_verified"]),
  );
  for (const { message: told } of outcomes.values()) expect(told).toMatch(message);
});
