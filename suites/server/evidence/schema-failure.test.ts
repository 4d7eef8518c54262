import { describe, expect, test } from "vitest";
import type { Schemas } from "../../core/contract/document.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { checks } from "../checks/index.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { runMutant } from "../mutants/run-mutant.ts";

/** How checks end on a server that shows deliveries with a fault. */
async function outcomesWhere(
  shown: (delivery: Schemas["Delivery"]) => object,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
  const chosen = checks.filter(({ id }) => ids.includes(id));
  expect(chosen).toHaveLength(ids.length);
  return runMutant({ fault: "one of a test's own", mutate: alterDelivery(shown) }, chosen);
}

const withoutVersion = () => ({ version: undefined });
const withoutZone = ({ created_at, updated_at }: Schemas["Delivery"]) => ({
  created_at: created_at.replace("Z", ""),
  updated_at: updated_at.replace("Z", ""),
});

describe("what doesn't fit the document", () => {
  test("fails no check that asks for something else, and is waited for by none", async () => {
    const others = [
      "quotes.creates-nothing",
      "isolation.list-of-deliveries",
      "list-filters.several-statuses",
    ];
    const outcomes = await outcomesWhere(withoutVersion, others);
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(others.map(() => "passed"));
  });

  test("is reported in the same words by the check that it stops and by the passive check", async () => {
    const stumbling = ["courier.versions", "passive.delivery-schema"];
    const outcomes = await outcomesWhere(withoutVersion, stumbling);
    for (const { status, fault } of outcomes.values()) {
      expect({ status, fault }).toEqual({
        status: "failed",
        fault: "responses don't match the document: version is missing",
      });
    }
  });

  test("is one fault where it is of several members that are wrong alike", async () => {
    const looking = ["passive.times-in-utc", "passive.delivery-schema"];
    const outcomes = await outcomesWhere(withoutZone, [...looking, "list-filters.malformed-times"]);
    for (const id of looking) {
      expect(outcomes.get(id)?.fault).toBe(
        "responses don't match the document: times aren't in UTC, ending in Z",
      );
    }
    expect(outcomes.get("list-filters.malformed-times")?.status).toBe("passed");
  });
});
