import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../package.ts";
import { PRESENT_VERSION, releasedVersions, type Version, versionOf } from "./versions.ts";

/** The checks that became stricter since a version's release. Patches promise that there are none. */
const demandsMore = (released: Version, present: Version): readonly string[] =>
  [...present.checks.values()].flatMap(({ id, clauses, needs }) => {
    const frozen = released.checks.get(id);
    if (!frozen) return [`${id} is new: it belongs to the next minor version (package.json)`];
    const added = [...clauses.keys()].filter((clause) => !frozen.clauses.has(clause));
    const raised = [...clauses].filter(
      ([clause, weight]) =>
        weight === "MUST" && frozen.clauses.get(clause) !== weight && !added.includes(clause),
    );
    const fewer = frozen.needs.filter((need) => !needs.includes(need));
    return [
      ...added.map((clause) => `${id} verifies ${clause} too`),
      ...raised.map(([clause]) => `${id} weighs ${clause} as a MUST`),
      ...fewer.map((need) => `${id} runs without ${need} too`),
    ];
  });

const list = (...lines: readonly string[]): Version => versionOf(PRESENT_VERSION, lines.join("\n"));

test("patches of a released version add no checks and make none stricter", () => {
  const lists = ["conform", "receiver", "client"].map((name) =>
    readFileSync(join(packageFolder, `tools/testing/public-surface/list-${name}.txt`), "utf8"),
  );
  const present = list(...lists);
  expect(present.checks.size).toBeGreaterThan(500);
  const frozen = releasedVersions().filter(({ name }) => name === PRESENT_VERSION);
  expect(frozen.flatMap((version) => demandsMore(version, present))).toEqual([]);
});

test("a stricter patch is detected, and a less strict one is accepted", () => {
  const released = list(
    "a.b: api; A-1 (MUST), A-2 (SHOULD); needs clock",
    "a.c: api; A-1 (MUST); needs clock",
  );
  const present = list(
    "a.b: api; A-1 (MUST), A-2 (MUST), A-3 (SHOULD); needs nothing in particular",
    "a.d: api; A-1 (MUST); needs clock",
  );
  expect(demandsMore(released, present)).toEqual([
    "a.b verifies A-3 too",
    "a.b weighs A-2 as a MUST",
    "a.b runs without clock too",
    "a.d is new: it belongs to the next minor version (package.json)",
  ]);
  expect(demandsMore(released, list("a.b: api; A-1 (SHOULD); needs clock, courier"))).toEqual([]);
});
