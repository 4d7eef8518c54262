import { expect, test } from "vitest";
import { renderQuiet } from "./quiet.ts";
import { aReport, blocking, contextWith } from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const quiet = (report = aReport()) => renderQuiet(report, contextWith(), painter(false)).split("\n");
const failing = (ids: readonly string[], message: (id: string) => string) =>
  aReport({
    outcomes: Object.fromEntries(
      ids.map((id) => [id, { status: "failed", duration_ms: 1, requests: 1, message: message(id) } as const]),
    ),
  });
const musts = aReport()
  .checks.filter(({ severity }) => severity === "MUST")
  .map(({ id }) => id);

test("a passing run prints only its verdict", () => {
  expect(quiet()).toEqual([expect.stringMatching(/^CONFORMANT {2}\(exit 0\)/)]);
});

test.each([
  ["one failure that blocks others", aReport({ outcomes: blocking })],
  [
    "failures of many causes",
    failing(musts.slice(0, 40), (id) => `wrong by ${"x".repeat(musts.indexOf(id) >> 1)}`),
  ],
  ["failures without a common cause", failing(musts.slice(0, 40), (id) => `wrong by\n${id}`)],
])("%s: causes and verdict, in fewer than ten lines", (_, report) => {
  const lines = quiet(report);
  expect(lines.length).toBeLessThan(10);
  expect(lines[0]).toMatch(/failure/);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.at(-1)).toMatch(/^NONCONFORMANT {2}\(exit 1\)/);
});
