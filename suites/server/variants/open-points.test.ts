import { expect, test } from "vitest";
import { readClauseList } from "../../core/contract/clause-list.ts";
import { independentServerChoices } from "../independent-server/choices.ts";
import { variants } from "./index.ts";
import { uncoveredOpenPoints } from "./uncovered-open-points.ts";

const ids: readonly string[] = readClauseList().open_points.map(({ id }) => id);
const decided = new Set(
  [independentServerChoices, ...Object.values(variants).map(({ choices }) => choices)].flatMap(Object.keys),
);

test("each open point has a conforming server with another choice, or a reason for having none", () => {
  expect(ids.filter((id) => !decided.has(id) && !(id in uncoveredOpenPoints))).toEqual([]);
});

test("an open point with such a reason has no server with another choice", () => {
  expect(Object.keys(uncoveredOpenPoints).filter((id) => decided.has(id))).toEqual([]);
});
