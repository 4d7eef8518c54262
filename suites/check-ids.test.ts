import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { mutationMatrices } from "./mutation-matrices.ts";

const here = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Baselines, pipelines and old reports contain ids, so a published id stays. */
const frozen = here("check-ids.txt").trimEnd().split("\n");
const present: readonly string[] = mutationMatrices.flatMap(({ checks }) => checks.map(({ id }) => id));

/** Each file of checks, with what could be an id in it: every text in quotes that is one. */
const files = globSync("*/checks/**/*.ts", { cwd: import.meta.dirname })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => {
    const quoted = [...here(path).matchAll(/(["'`])([a-z0-9.-]+)\1/g)].map(([, , text = ""]) => text);
    return { path, ids: quoted.filter((text) => frozen.includes(text)) };
  });

const groupOf = (id: string) => id.slice(0, id.indexOf("."));
const groups = [...new Set(frozen.map(groupOf))];

/** The group that a file is named for: its name is the group's, or goes on after it; of two such groups the longer. */
function groupOfFile(path: string): string | undefined {
  const name = basename(path, ".ts");
  return groups
    .filter((group) => name === group || name.startsWith(`${group}-`))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
}

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

test("every id stands written out once among the checks, so that a search leads to its check", () => {
  const written = files.flatMap(({ ids }) => ids);
  const times = (id: string) => written.filter((one) => one === id).length;
  const wrong = frozen.map((id) => `${id}: ${times(id)} times`).filter((line) => !line.endsWith(": 1 times"));
  expect(wrong, "write the id as a text where the check is made, and nowhere else").toEqual([]);
});

test("a file of checks holds ids of the one group that it is named for", () => {
  const strange = files.flatMap(({ path, ids }) =>
    ids.filter((id) => groupOf(id) !== groupOfFile(path)).map((id) => `${path}: ${id}`),
  );
  expect(
    strange,
    "name the file after the group, as in group.ts or group-part.ts, or move the check",
  ).toEqual([]);
});
