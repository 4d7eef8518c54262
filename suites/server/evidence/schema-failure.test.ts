import { describe, expect, test } from "vitest";
import type { Schemas } from "../../core/contract/document.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { checks } from "../checks/index.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterRead, aroundOperation } from "../mutants/operators/operations.ts";
import { runMutant } from "../mutants/run-mutant.ts";

/** The outcomes of checks on a server that returns faulty deliveries. */
async function outcomesWith(
  shown: (delivery: Schemas["Delivery"]) => object,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
  const chosen = checks.filter(({ id }) => ids.includes(id));
  expect(chosen).toHaveLength(ids.length);
  return runMutant({ fault: "for this test", mutate: alterDelivery(shown) }, chosen);
}

const withoutVersion = () => ({ version: undefined });
const withoutZone = ({ created_at, updated_at }: Schemas["Delivery"]) => ({
  created_at: created_at.replace("Z", ""),
  updated_at: updated_at.replace("Z", ""),
});

describe("a response that doesn't match the document", () => {
  test("fails no check of anything else", async () => {
    const others = [
      "quotes.creates-nothing",
      "isolation.list-of-deliveries",
      "list-filters.several-statuses",
    ];
    const outcomes = await outcomesWith(withoutVersion, others);
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(others.map(() => "passed"));
  });

  test("is reported with the same wording by the check that it stops and by the passive check", async () => {
    const affected = ["courier.versions", "passive.delivery-schema"];
    const outcomes = await outcomesWith(withoutVersion, affected);
    for (const { status, fault } of outcomes.values()) {
      expect({ status, fault }).toEqual({
        status: "failed",
        fault: "responses don't match the document: version is missing",
      });
    }
  });

  test("has one fault if several members are wrong in the same way", async () => {
    const reporting = ["passive.times-in-utc", "passive.delivery-schema"];
    const outcomes = await outcomesWith(withoutZone, [...reporting, "list-filters.malformed-times"]);
    for (const id of reporting) {
      expect(outcomes.get(id)?.fault).toBe(
        "responses don't match the document: times aren't in UTC, ending in Z",
      );
    }
    expect(outcomes.get("list-filters.malformed-times")?.status).toBe("passed");
  });

  test.each([200, 203])(
    "with status %i fails the check that can't go on, as no bug in the suite",
    async (status) => {
      const read = checks.filter(({ id }) => id === "delivery-fields.read");
      const withStatus = aroundOperation("getDelivery", async (_, original) => ({
        ...(await original()),
        status,
      }));
      const mutate = compose(
        alterRead(() => ({ dropoff: undefined })),
        withStatus,
      );
      const outcomes = await runMutant({ fault: "for this test", mutate }, read);
      expect([...outcomes.values()]).toMatchObject([
        { status: "failed", fault: "responses don't match the document: dropoff is missing" },
      ]);
    },
  );
});
