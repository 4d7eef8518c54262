import { expect, test } from "vitest";
import { ClauseProgress, clauseFinding } from "./clause-findings.ts";

const ALL = ["TRACK-2", "TRACK-3", "TRACK-4"];

test("a failure is attributed to the clauses that the check is at; earlier ones held, later ones weren't reached", () => {
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

test("a clause that the check comes to again and again fails where it fails, though it held before", () => {
  const progress = new ClauseProgress(ALL);
  for (const id of ["TRACK-2", "TRACK-3", "TRACK-4", "TRACK-2"]) progress.at([id]);
  expect(progress.findings).toEqual({ failed: ["TRACK-2"], held: ["TRACK-3", "TRACK-4"], not_reached: [] });
});

test("where a check doesn't say which clause it is at, its failure is of all of them", () => {
  const progress = new ClauseProgress(ALL);
  expect(progress.findings).toBeUndefined();
  progress.at(ALL);
  expect(progress.findings).toBeUndefined();
  expect(clauseFinding("TRACK-2", undefined)).toBe("");
});

test("a check can't be at a clause that isn't its own", () => {
  expect(() => new ClauseProgress(ALL).at(["IDEM-1"])).toThrow("IDEM-1");
});
