import { expect, test } from "vitest";
import { painter, renderTerminal } from "./terminal.ts";
import { aReport, blocking, contextWith, FAILED } from "./testing/sample-report.ts";

const context = contextWith();
const blocked = aReport({ outcomes: blocking });

test("the terminal tells the one failure, and in a line what it blocks", () => {
  const text = renderTerminal(blocked, context, painter(false));
  expect(text.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([`FAILED  ${FAILED}`]);
  const count = blocked.checks.length;
  expect(text.split("\n").slice(0, 2)).toEqual([
    `1 cause explains all ${count} failures. Begin with the first:`,
    expect.stringMatching(
      new RegExp(`^ *${count}  nothing is taken \\(${FAILED}, .*, ${count - 4} more\\)$`),
    ),
  ]);
});
