import { expect, test } from "vitest";
import { checks } from "../../../suites/server/checks/index.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";
import type { Mutate } from "../../../suites/server/mutants/mutant.ts";
import { alterUpdate } from "../../../suites/server/mutants/operators/deliveries.ts";
import { alterRetryDelays } from "../../../suites/server/mutants/operators/webhooks.ts";
import { runMutant } from "../../../suites/server/mutants/run-mutant.ts";
import { causesOf } from "./causes.ts";

/** The causes of these checks' failures on a server with one fault, which may consist of several mutants. */
async function causesOn(mutate: Mutate, ...ids: readonly string[]) {
  const chosen = checks.filter(({ id }) => ids.includes(id));
  const outcomes = await runMutant({ fault: "a fault of several places", mutate }, chosen);
  return causesOf(
    chosen.flatMap(({ id, clauses }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined ? [] : [{ ...outcome, id, clauses }];
    }),
  );
}

const together =
  (...ids: readonly string[]): Mutate =>
  (deps) =>
    ids.reduce((changed, id) => mutantOf(id).mutate(changed), deps);

const LATE = 1.5;

test.each<[string, Mutate, readonly string[]]>([
  [
    "national phone numbers",
    together("phone-in-national-form"),
    ["delivery-fields.phone", "changes.customer-phone"],
  ],
  [
    "pages with more items than their limit",
    together("page-has-one-too-many", "limit-is-forgotten-after-the-first-page"),
    ["paging.limit", "paging.page-sizes"],
  ],
  [
    "wrong retry times",
    alterRetryDelays((delays) => delays.map((delay) => delay * LATE)),
    ["retries.schedule", "retries.every-kind-of-failure", "retries.other-events-go-on"],
  ],
  [
    "fields that a PATCH leaves without a value",
    alterUpdate((after, before) =>
      after.distance_m === before.distance_m ? {} : { distance_m: null, road_km: null, fee: null },
    ),
    ["changes.dropoff", "service-area.fee-of-a-new-address", "quotes.same-fee-in-euros"],
  ],
])("one cause explains %s", async (_, mutate, ids) => {
  const causes = await causesOn(mutate, ...ids);
  expect(causes.map((cause) => cause.checks.toSorted())).toEqual([ids.toSorted()]);
});
