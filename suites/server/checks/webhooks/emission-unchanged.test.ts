import { expect, test } from "vitest";
import { alterProperty } from "../../mutants/operators/documents.ts";
import { runMutant } from "../../mutants/run-mutant.ts";
import { checks } from "../index.ts";

test("the events of an invalid change that was accepted aren't those of the next request", async () => {
  const mutate = alterProperty("DeliveryChange", "notes", { maxLength: undefined });
  const tried = checks.filter(({ id }) => id === "emission.refused-change");
  const outcomes = await runMutant({ fault: "a PATCH sets notes of any length", mutate }, tried);
  expect(outcomes.get("emission.refused-change")).toMatchObject({
    status: "failed",
    cases: { failed: ["the creation, a refused and an accepted change"] },
    clause_findings: { failed: ["EMIT-10"] },
  });
});
