import { expect, test } from "vitest";
import { readClauseList } from "../../core/contract/clause-list.ts";
import { independentServerChoices } from "../independent-server/choices.ts";
import { variants } from "./index.ts";
import { untaken } from "./uncovered-open-points.ts";

const ids: readonly string[] = readClauseList().open_points.map(({ id }) => id);
const taken = new Set(
  [independentServerChoices, ...Object.values(variants).map(({ points }) => points)].flatMap(Object.keys),
);

test("every open point is decided otherwise by a legal server that is certified, or says why by none", () => {
  expect(ids.filter((id) => !taken.has(id) && !(id in untaken))).toEqual([]);
});

test("what no server decides otherwise is decided otherwise by none", () => {
  expect(Object.keys(untaken).filter((id) => taken.has(id))).toEqual([]);
});
