import { expect, test } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { Counterexample } from "../expectations/property.ts";
import { attributedTo, attributeFailures, attributeStepFailures } from "./attributed-to.ts";

const accepted = clause["PATCH-1"];
const final = clause["STATE-36"];
const versions = clause["DLV-8"];

const fail = () => {
  throw new Error("wrong");
};

/** The error of a step that fails at an assertion about the version while a change is tried. */
const thrown = attributeStepFailures([accepted], async () => attributeFailures([versions], fail)).catch(
  (error: unknown) => error,
);

test("a failure is attributed to the clauses of the innermost assertion", async () => {
  expect(attributedTo(await thrown, [accepted, versions])).toEqual([versions]);
});

test("a clause that the check doesn't declare is ignored, and the surrounding one counts", async () => {
  expect(attributedTo(await thrown, [accepted, final])).toEqual([accepted]);
  expect(attributedTo(await thrown, [final])).toEqual([]);
});

test("a counterexample is attributed to the clauses of its failure", async () => {
  const cause = await thrown;
  const counterexample = new Counterexample(cause instanceof Error ? cause : new Error(), "a step");
  expect(attributedTo(counterexample, [versions])).toEqual([versions]);
});

test("a failure without an attribution is attributed to no clause", () => {
  expect(attributedTo(new Error("wrong"), [accepted])).toEqual([]);
});
