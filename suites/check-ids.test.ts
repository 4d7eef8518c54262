import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { matrices } from "./mutation-matrices.ts";

/** Ids stand in baselines, in pipelines and in old reports: once there, an id stays. */
const frozen = readFileSync(new URL("check-ids.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const present: readonly string[] = matrices.flatMap(({ checks }) => checks.map(({ id }) => id));

test("no check that was once there is gone or has another id", () => {
  const gone = frozen.filter((id) => !present.includes(id));
  expect(gone, "ids that people use: give them back to their checks").toEqual([]);
});

test("every check's id is frozen", () => {
  const fresh = present.filter((id) => !frozen.includes(id));
  expect(fresh, "new checks: are their names right? Then add the ids to suites/check-ids.txt").toEqual([]);
});

test("the frozen ids are in alphabetical order, each once, so that additions merge", () => {
  expect(frozen).toEqual([...new Set(frozen)].toSorted());
});
