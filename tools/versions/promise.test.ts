import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../package.ts";
import { CURRENT_VERSION, releasedVersions, type Version, versionOf } from "./versions.ts";

/** How the checks became stricter since a version's release, one sentence each. Patches promise that none did. */
const stricterRules = (released: Version, current: Version): readonly string[] =>
  [...current.checks.values()].flatMap(({ id, clauses, needs }) => {
    const frozen = released.checks.get(id);
    if (!frozen) return [`${id} is new: it belongs to the next minor version (package.json)`];
    const added = [...clauses.keys()].filter((clause) => !frozen.clauses.has(clause));
    const madeMust = [...clauses].filter(
      ([clause, weight]) =>
        weight === "MUST" && frozen.clauses.get(clause) !== weight && !added.includes(clause),
    );
    const removedNeeds = frozen.needs.filter((need) => !needs.includes(need));
    return [
      ...added.map((clause) => `${id} also verifies ${clause}`),
      ...madeMust.map(([clause]) => `${id} makes ${clause} a MUST`),
      ...removedNeeds.map((need) => `${id} no longer needs ${need}`),
    ];
  });

const list = (...lines: readonly string[]): Version => versionOf(CURRENT_VERSION, lines.join("\n"));

test("patches of a released version add no checks and make none stricter", () => {
  const lists = ["conform", "receiver", "client"].map((name) =>
    readFileSync(join(packageFolder, `tools/testing/public-surface/list-${name}.txt`), "utf8"),
  );
  const current = list(...lists);
  expect(current.checks.size).toBeGreaterThan(500);
  const frozen = releasedVersions().filter(({ name }) => name === CURRENT_VERSION);
  expect(frozen.flatMap((version) => stricterRules(version, current))).toEqual([]);
});

test("a stricter patch is detected, and a less strict one is accepted", () => {
  const released = list(
    "a.b: api; A-1 (MUST), A-2 (SHOULD); needs clock",
    "a.c: api; A-1 (MUST); needs clock",
  );
  const current = list(
    "a.b: api; A-1 (MUST), A-2 (MUST), A-3 (SHOULD); needs nothing in particular",
    "a.d: api; A-1 (MUST); needs clock",
  );
  expect(stricterRules(released, current)).toEqual([
    "a.b also verifies A-3",
    "a.b makes A-2 a MUST",
    "a.b no longer needs clock",
    "a.d is new: it belongs to the next minor version (package.json)",
  ]);
  expect(stricterRules(released, list("a.b: api; A-1 (SHOULD); needs clock, courier"))).toEqual([]);
});
