import { expect, test } from "vitest";
import { checksThatCatch, mutantNamed, mutantsCaughtBy } from "./catching.ts";

const first = { id: "paging.first", clauses: ["LIST-4"] };
const second = { id: "paging.second", clauses: ["LIST-4", "LIST-5"] };
const other = { id: "health.ok", clauses: ["HEALTH-1"] };
const checks = [first, second, other];

const mutants = {
  anywhere: { breaks: [{ clause: "LIST-4" as const, case: "limit=1" }] },
  named: { breaks: [{ clause: "LIST-4" as const }], caughtBy: ["paging.second"] },
  undeclared: { caughtBy: ["health.ok"] },
};

test("all checks of the broken clauses catch a mutant, or those that it names", () => {
  expect(checksThatCatch(mutants.anywhere, checks)).toEqual([first, second]);
  expect(checksThatCatch(mutants.named, checks)).toEqual([second]);
  expect(checksThatCatch(mutants.undeclared, checks)).toEqual([other]);
});

test("a check catches the mutants that it is a check for", () => {
  expect(checks.map((check) => mutantsCaughtBy(check, mutants))).toEqual([
    ["anywhere"],
    ["anywhere", "named"],
    ["undeclared"],
  ]);
});

test("a mutant is found by its id, and an unknown id is an error", () => {
  expect(mutantNamed("named", mutants)).toBe(mutants.named);
  expect(() => mutantNamed("unknown", mutants)).toThrow("no mutant is called unknown");
});
