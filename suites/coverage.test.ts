import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientSuite } from "./client/suite.ts";
import { CLAUSE_LEVELS, type Claim, LEVELS } from "./core/contract/claims.ts";
import { readClauseList } from "./core/contract/clause-list.ts";
import { allOperations } from "./core/contract/document.ts";
import { checksThatCatch, mutantsCaughtBy } from "./core/mutation/catching.ts";
import { mutationMatrices } from "./mutation-matrices.ts";
import { receiverSuite } from "./receiver/suite.ts";
import { CAPABILITY_CLAIM } from "./server/capabilities.ts";
import { type AnyCheck, isActive } from "./server/check.ts";
import { checks } from "./server/checks/index.ts";
import { mutants } from "./server/mutants/index.ts";
import type { Mutant } from "./server/mutants/mutant.ts";
import { serverSuite } from "./server/suite.ts";

const { clauses, open_points, parts } = readClauseList();
const suites = [serverSuite(), receiverSuite(), clientSuite()];
const bySubject = suites.map((suite) => [suite.subject, suite] as const);

/** How many rows the list of open points has that the clause list starts from. */
const OPEN_POINT_ROWS = 234;

test("clause ids are unique and counted from 1 without gaps in each group", () => {
  const counted = new Map<string, number>();
  const wrong = clauses.filter(({ id }) => {
    const [group = "", number] = id.split("-");
    const next = (counted.get(group) ?? 0) + 1;
    counted.set(group, next);
    return Number(number) !== next;
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("every clause names a part of the specification", () => {
  expect(clauses.filter(({ part }) => !(part in parts)).map(({ id }) => id)).toEqual([]);
});

test("levels and claims are of those that there are for the subject", () => {
  const wrong = clauses.filter(
    ({ subject, level, claim }) =>
      !CLAUSE_LEVELS.some((one) => one === level) || !LEVELS[subject].some((one) => one === claim),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("the clause list contains every open point once", () => {
  const rows = open_points
    .filter(({ id }) => Number(String(id).slice("OPEN-".length)) <= OPEN_POINT_ROWS)
    .flatMap(({ id, merges = [] }) => [Number(String(id).slice("OPEN-".length)), ...merges]);
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: OPEN_POINT_ROWS }, (_, i) => i + 1));
});

test.each(bySubject)(
  "every clause of the %s has a check, or a reason why it has none, and never both",
  (_, { clauses: own, checks: ofSubject }) => {
    const checked = new Set(ofSubject.flatMap((check) => check.clauses));
    const bare = own.filter(({ id, excluded }) => excluded === undefined && !checked.has(id));
    expect(bare.map(({ id }) => id)).toEqual([]);
    const both = own.filter(({ id, excluded }) => excluded !== undefined && checked.has(id));
    expect(both.map(({ id }) => id)).toEqual([]);
  },
);

test.each(bySubject)("checks of a %s verify its own clauses", (_, { clauses: own, checks: ofSubject }) => {
  const strange = ofSubject.filter((check) => check.clauses.some((id) => !own.some((one) => one.id === id)));
  expect(strange.map(({ id }) => id)).toEqual([]);
});

test("ids of checks and of mutants are unique, whatever they are of", () => {
  const twice = (ids: readonly string[]) => ids.filter((id, i) => ids.indexOf(id) !== i);
  expect(twice(suites.flatMap((suite) => suite.checks.map(({ id }) => id)))).toEqual([]);
  expect(twice(mutationMatrices.flatMap(({ mutants }) => Object.keys(mutants)))).toEqual([]);
});

test("every check catches a mutant, and every mutant is caught by a check", () => {
  for (const { checks: ofSubject, mutants: all } of mutationMatrices) {
    const bare = ofSubject.filter((check) => mutantsCaughtBy(check, all).length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
    const missed = Object.entries(all).filter(
      ([, mutant]) => checksThatCatch(mutant, ofSubject).length === 0,
    );
    expect(missed.map(([id]) => id)).toEqual([]);
  }
});

test("mutants name existing checks", () => {
  const known = new Set(suites.flatMap((suite) => suite.checks.map(({ id }) => id)));
  const named = mutationMatrices.flatMap((matrix) =>
    Object.values(matrix.mutants).flatMap(({ caughtBy = [] }) => caughtBy),
  );
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

/** The mutants that a server's check catches, by id. */
const caughtBy = (check: AnyCheck): readonly (readonly [string, Mutant])[] =>
  Object.entries<Mutant>(mutants).filter(([, mutant]) => checksThatCatch(mutant, [check]).length > 0);

test("each clause of a server's check is broken by a mutant that the check catches", () => {
  const unbroken = checks.flatMap((check) => {
    const broken = new Set(caughtBy(check).flatMap(([, { breaks }]) => breaks.map(({ clause }) => clause)));
    return check.clauses.filter((clause) => !broken.has(clause)).map((clause) => `${check.id}: ${clause}`);
  });
  expect(unbroken).toEqual([]);
});

/** Clauses that the same observation breaks: they state one rule twice, or the response doesn't tell them apart. */
const INSEPARABLE = [
  ["HEALTH-1", "AUTH-9", "VER-3"],
  ["TOKEN-1", "AUTH-8", "VER-2"],
  ["AUTH-6", "AUTH-11"],
  ["AUTH-2", "AUTH-13"],
  ["AUTH-20", "ERR-15"],
  ["TRACK-1", "AUTH-10"],
  ["STORE-9", "REG-4"],
  ["NEW-4", "ERR-18"],
  ["NEW-5", "ERR-6"],
  ["NEW-31", "LIMIT-27"],
  ["IDEM-11", "ERR-17"],
  ["LIST-8", "ERR-12"],
  ["STATE-34", "ERR-22"],
  ["HOOK-19", "ERR-24"],
  ["HOOK-20", "HOOK-21"],
  ["HOOK-8", "RETRY-5"],
  ["RETRY-3", "RETRY-4"],
  ["SIGN-1", "SIGN-3"],
  ["EMIT-1", "EVENT-3"],
  ["EMIT-2", "EVENT-13"],
  ["EMIT-3", "STATE-6"],
  ["EMIT-7", "STATE-21"],
  ["EMIT-8", "EVENT-32"],
  ["EVENT-14", "STATE-16"],
  ["EVENT-15", "STATE-15"],
  ["EVENT-16", "STATE-14"],
  ["PROOF-3", "PROOF-10"],
].map((group) => group.toSorted().join(", "));

test("a mutant of a server's check breaks one of two clauses without the other, unless they are inseparable", () => {
  const together = checks.flatMap((check) => {
    const caught = caughtBy(check);
    const brokenBy = (clause: string) =>
      caught
        .flatMap(([mutant, { breaks }]) => (breaks.some((one) => one.clause === clause) ? mutant : []))
        .join();
    const groups = [...Map.groupBy(check.clauses, brokenBy).values()].filter(({ length }) => length > 1);
    return groups
      .map((group) => group.toSorted().join(", "))
      .filter((group) => !INSEPARABLE.includes(group))
      .map((group) => `${check.id}: ${group}`);
  });
  expect(together).toEqual([]);
});

test.each(bySubject)(
  "all clauses of a check of a %s have one severity, since a check either fails a run or warns",
  (_, { checks: ofSubject }) => {
    const mixed = ofSubject.filter((check) => {
      const levels = new Set(
        clauses.filter(({ id }) => check.clauses.includes(id)).map(({ level }) => level),
      );
      return levels.size !== 1 || levels.has("MAY");
    });
    expect(mixed.map(({ id }) => id)).toEqual([]);
  },
);

test("a check of a receiver needs the effects interface where its clauses do, and only there", () => {
  const { checks: ofReceiver } = receiverSuite();
  const wrong = ofReceiver.filter((check) => {
    const claims = new Set(clauses.filter(({ id }) => check.clauses.includes(id)).map(({ claim }) => claim));
    return claims.size !== 1 || claims.has("effects") !== check.needs.includes("effects");
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

const order: readonly Claim[] = LEVELS.server;

test("a check needs nothing that goes beyond the claim of its clauses", () => {
  const beyond = checks.filter(isActive).filter((check) => {
    const claims = clauses.filter(({ id }) => check.clauses.includes(id)).map(({ claim }) => claim);
    const highest = Math.min(...claims.map((claim) => order.indexOf(claim)));
    return check.needs.some((need) => order.indexOf(CAPABILITY_CLAIM[need]) > highest);
  });
  expect(beyond.map(({ id }) => id)).toEqual([]);
});

test("a check that moves the clock says how long it would have to wait, and no other does", () => {
  const wrong = checks
    .filter(isActive)
    .filter(({ needs, virtualSeconds }) => needs.includes("clock") !== virtualSeconds > 0);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test.each(bySubject)(
  "what a %s can be declared not to do leaves out clauses of its own, and each can be disproved: by a check of these alone",
  (_, { declarations, clauses: own, checks: ofSubject }) => {
    const wrong = declarations.flatMap(({ name, clauses: left }) => {
      const strange = left.filter((id) => !own.some((one) => one.id === id && one.excluded === undefined));
      const lasting = left.filter(
        (id) =>
          !ofSubject.some(
            (check) =>
              check.clauses.includes(id) &&
              check.clauses.every((verified) => left.some((one) => one === verified)),
          ),
      );
      return [...strange, ...lasting].map((id) => `${name}: ${id}`);
    });
    expect(wrong).toEqual([]);
  },
);

test("declarations have names of their own", () => {
  const names = readClauseList().declarations.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test("every operation of the document is called by a check as the document has it", () => {
  const sources = globSync("server/{checks,support,session}/**/*.ts", { cwd: import.meta.dirname }).map(
    (path) => readFileSync(new URL(path, import.meta.url), "utf8"),
  );
  const calls = ({ id }: { readonly id: string }) => new RegExp(`\\.call\\(\\s*"${id}"|\\.${id}\\(`);
  const uncalled = allOperations.filter((operation) => !sources.some((text) => calls(operation).test(text)));
  expect(uncalled.map(({ id }) => id)).toEqual([]);
});
