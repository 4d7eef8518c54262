import { expect, test } from "vitest";
import { ClauseProgress, clauseFinding } from "./clause-findings.ts";

const ALL = ["TRACK-2", "TRACK-3", "TRACK-4"];

test("a failure is attributed to the current clauses of the check; earlier ones held, later ones weren't reached", () => {
  const progress = new ClauseProgress(ALL);
  progress.at(["TRACK-2"]);
  progress.at(["TRACK-3"]);
  expect(progress.findings).toEqual({ failed: ["TRACK-3"], held: ["TRACK-2"], not_reached: ["TRACK-4"] });
  expect(ALL.map((id) => clauseFinding(id, progress.findings))).toEqual([
    ", passed",
    ", failed",
    ", not reached",
  ]);
});

test("a clause that is asserted several times fails if one of the assertions fails", () => {
  const progress = new ClauseProgress(ALL);
  for (const id of ["TRACK-2", "TRACK-3", "TRACK-4", "TRACK-2"]) progress.at([id]);
  expect(progress.findings).toEqual({ failed: ["TRACK-2"], held: ["TRACK-3", "TRACK-4"], not_reached: [] });
});

test("a clause that a failed case didn't reach hasn't held, although other cases reached it", () => {
  const progress = new ClauseProgress(ALL);
  const group = {};
  progress.beginCase(group);
  for (const id of ["TRACK-3", "TRACK-4"]) progress.at([id]);
  progress.beginCase(group);
  progress.at(["TRACK-3"]);
  progress.fail();
  progress.endCases(group);
  progress.at(["TRACK-2"]);
  progress.at([]);
  expect(progress.findings).toEqual({ failed: ["TRACK-3"], held: ["TRACK-2"], not_reached: ["TRACK-4"] });
});

test("the failure of a check that sets no current clause is attributed to all its clauses", () => {
  const progress = new ClauseProgress(ALL);
  expect(progress.findings).toBeUndefined();
  progress.at(ALL);
  expect(progress.findings).toBeUndefined();
  expect(clauseFinding("TRACK-2", undefined)).toBe("");
});

test("a check can't set a current clause that it doesn't declare", () => {
  expect(() => new ClauseProgress(ALL).at(["IDEM-1"])).toThrow("IDEM-1");
});
