import { expect, test } from "vitest";
import { readClauseList, setsOf } from "./clause-list.ts";
import { elementSets } from "./element-sets.ts";

const quantifiedOver: readonly string[] = readClauseList().clauses.flatMap(setsOf);

test("each clause names an existing set, and each set is named by a clause", () => {
  expect(quantifiedOver.filter((name) => !Object.hasOwn(elementSets, name))).toEqual([]);
  expect(Object.keys(elementSets).filter((name) => !quantifiedOver.includes(name))).toEqual([]);
});

test("no set contains an element twice", () => {
  const twice = Object.entries(elementSets).filter(
    ([, { elements }]) => new Set<string>(elements).size !== elements.length,
  );
  expect(twice.map(([name]) => name)).toEqual([]);
});
