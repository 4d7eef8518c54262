import { expect, test } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { Counterexample } from "../expectations/property.ts";
import { attributedTo, attributeFailures, attributeStepFailures } from "./attributed-to.ts";

const taken = clause["PATCH-1"];
const final = clause["STATE-36"];
const versions = clause["DLV-8"];

const fail = () => {
  throw new Error("wrong");
};

/** The error of a step that fails at an assertion about the version while a change is tried. */
const thrown = attributeStepFailures([taken], async () => attributeFailures([versions], fail)).catch(
  (error: unknown) => error,
);

test("a failure is attributed to what the nearest assertion is about", async () => {
  expect(attributedTo(await thrown, [taken, versions])).toEqual([versions]);
});

test("of what a check doesn't stand for nothing is said: what is around it is", async () => {
  expect(attributedTo(await thrown, [taken, final])).toEqual([taken]);
  expect(attributedTo(await thrown, [final])).toEqual([]);
});

test("a counterexample is attributed to what its failure is attributed to", async () => {
  const cause = await thrown;
  const counterexample = new Counterexample(cause instanceof Error ? cause : new Error(), "a step");
  expect(attributedTo(counterexample, [versions])).toEqual([versions]);
});

test("what nobody has attributed to anything is attributed to nothing", () => {
  expect(attributedTo(new Error("wrong"), [taken])).toEqual([]);
});
