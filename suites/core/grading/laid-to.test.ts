import { expect, test } from "vitest";
import { clause } from "../../../openapi/generated/clauses.ts";
import { laidTo, layStepTo, layTo } from "./laid-to.ts";
import { Counterexample } from "./property.ts";

const taken = clause["PATCH-1"];
const final = clause["STATE-36"];
const versions = clause["DLV-8"];

const fail = () => {
  throw new Error("wrong");
};

/** What a step ended with that fails at an assertion about the version, while a change is tried. */
const thrown = layStepTo([taken], async () => layTo([versions], fail)).catch((error: unknown) => error);

test("a failure is laid to what the nearest assertion is about", async () => {
  expect(laidTo(await thrown, [taken, versions])).toEqual([versions]);
});

test("of what a check doesn't stand for nothing is said: what is around it is", async () => {
  expect(laidTo(await thrown, [taken, final])).toEqual([taken]);
  expect(laidTo(await thrown, [final])).toEqual([]);
});

test("a counterexample is laid to what its failure is laid to", async () => {
  const cause = await thrown;
  const counterexample = new Counterexample(cause instanceof Error ? cause : new Error(), "a step");
  expect(laidTo(counterexample, [versions])).toEqual([versions]);
});

test("what nobody has laid to anything is laid to nothing", () => {
  expect(laidTo(new Error("wrong"), [taken])).toEqual([]);
});
