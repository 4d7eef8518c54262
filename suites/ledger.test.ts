import { expect, test } from "vitest";
import { CAPABILITY_CLAIM } from "./capabilities.ts";
import { isExperiment } from "./check.ts";
import { CLAUSE_LEVELS, type Claim, LEVELS } from "./claims.ts";
import { checks } from "./index.ts";
import { readLedger } from "./ledger.ts";

const { clauses, open_points, parts } = readLedger();
const ofServer = clauses.filter(({ subject }) => subject === "server");
const checkedIds = new Set<string>(checks.flatMap((check) => check.clauses));

/** How many rows the list of open points has that the ledger starts from. */
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

test("every row of the list of open points stands in the ledger once", () => {
  const rows = open_points.flatMap(({ id, merges = [] }) => [
    Number(String(id).slice("OPEN-".length)),
    ...merges,
  ]);
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: OPEN_POINT_ROWS }, (_, i) => i + 1));
});

test("every clause of the server has a check, or a reason why it has none, and never both", () => {
  const bare = ofServer.filter(
    ({ id, excluded, planned }) => excluded === undefined && planned === undefined && !checkedIds.has(id),
  );
  expect(bare.map(({ id }) => id)).toEqual([]);
  const both = ofServer.filter(
    ({ id, excluded, planned }) => (excluded !== undefined || planned !== undefined) && checkedIds.has(id),
  );
  expect(both.map(({ id }) => id)).toEqual([]);
});

test("check ids are unique", () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});

test("all clauses of a check have one severity, since a check either fails a run or warns", () => {
  const mixed = checks.filter((check) => {
    const levels = new Set(clauses.filter(({ id }) => check.clauses.includes(id)).map(({ level }) => level));
    return levels.size !== 1 || levels.has("MAY");
  });
  expect(mixed.map(({ id }) => id)).toEqual([]);
});

const order: readonly Claim[] = LEVELS.server;

test("a check needs nothing that goes beyond the claim of its clauses", () => {
  const beyond = checks.filter(isExperiment).filter((check) => {
    const claims = clauses.filter(({ id }) => check.clauses.includes(id)).map(({ claim }) => claim);
    const highest = Math.min(...claims.map((claim) => order.indexOf(claim)));
    return check.needs.some((need) => order.indexOf(CAPABILITY_CLAIM[need]) > highest);
  });
  expect(beyond.map(({ id }) => id)).toEqual([]);
});

test("a check that moves the clock says how long it would have to wait, and no other does", () => {
  const wrong = checks
    .filter(isExperiment)
    .filter(({ needs, waits }) => needs.includes("clock") !== waits > 0);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
