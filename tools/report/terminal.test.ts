import { expect, test } from "vitest";
import { painter, renderTerminal } from "./terminal.ts";
import { aReport, blocking, contextWith, FAILED } from "./testing/sample-report.ts";

const context = contextWith();
const blocked = aReport({ outcomes: blocking });

test("the terminal tells the one failure, and in a line what it blocks", () => {
  const text = renderTerminal(blocked, context, painter(false));
  expect(text.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([`FAILED  ${FAILED}`]);
  const lines = text.split("\n").filter((line) => line.includes("blocked by"));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trim()).toMatch(new RegExp(`^${blocked.checks.length - 1}  blocked by ${FAILED} \\(`));
});
