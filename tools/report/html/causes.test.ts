import { expect, test } from "vitest";
import { aReport } from "../testing/sample-report.ts";
import { causeList } from "./causes.ts";

const ids = aReport()
  .checks.filter(({ severity }) => severity === "MUST")
  .map(({ id }) => id);

/** The section of a report in which this number of checks failed, each with another message. */
function sectionWith(failed: number): string {
  const outcomes = ids
    .slice(0, failed)
    .map((id, index) => [
      id,
      { status: "failed" as const, duration_ms: 1, requests: 1, message: `fault ${index}` },
    ]);
  const section = causeList(aReport({ outcomes: Object.fromEntries(outcomes) }));
  return typeof section === "object" && "text" in section ? section.text : "";
}

test("the list of different failures has five, and the number of the others", () => {
  expect(sectionWith(7)).toContain("fault 4");
  expect(sectionWith(7)).not.toContain("fault 5");
  expect(sectionWith(7)).toContain("The page shows 2 more failures below.");
});

test("a list that is complete names no other failures", () => {
  expect(sectionWith(5)).toContain("fault 4");
  expect(sectionWith(5)).not.toContain("more failure");
});
