import { expect, test } from "vitest";
import { missedElements, testElementMutants } from "../core/element-mutants.ts";
import { clientChecks } from "./checks/index.ts";
import { elementMutants } from "./mutants/element-clients.ts";
import { clientMutants } from "./mutants/index.ts";
import { runClientMutant } from "./mutants/run-mutant.ts";

const clauses = Object.keys(elementMutants);
const overSets = clientChecks.filter((check) => check.clauses.some((id) => clauses.includes(id)));

test("a run of a conforming client covers every element of each set of a clause", async () => {
  const outcomes = await runClientMutant({ fault: "none", caughtBy: [], behaviour: {} }, overSets);
  expect([...outcomes].filter(([, { status }]) => status !== "passed")).toEqual([]);
  expect(missedElements("client", clientChecks, outcomes)).toEqual([]);
});

testElementMutants("client", { checks: clientChecks, mutants: clientMutants, table: elementMutants });
