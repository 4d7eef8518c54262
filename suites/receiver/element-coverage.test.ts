import { expect, test } from "vitest";
import { missedElements, testElementMutants } from "../core/element-mutants.ts";
import { receiverChecks } from "./checks/index.ts";
import { elementMutants, elementsIn } from "./mutants/element-receivers.ts";
import { receiverMutants } from "./mutants/index.ts";
import { runReceiverMutant } from "./mutants/run-mutant.ts";

const clauses = Object.keys(elementMutants);
const overSets = receiverChecks.filter((check) => check.clauses.some((id) => clauses.includes(id)));

test("a run on a conforming receiver covers every element of each clause's set, by the clause's checks", async () => {
  const original = { fault: "none", caughtBy: [], mutate: <Dependencies>(deps: Dependencies) => deps };
  const outcomes = await runReceiverMutant(original, overSets, receiverChecks);
  expect([...outcomes].filter(([, { status }]) => status !== "passed")).toEqual([]);
  expect(missedElements("receiver", receiverChecks, outcomes)).toEqual([]);
});

testElementMutants("receiver", {
  checks: receiverChecks,
  mutants: receiverMutants,
  table: elementMutants,
  elementsIn,
});
