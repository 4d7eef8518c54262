import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { isObject, member } from "../../../suites/core/json.ts";
import { testScope } from "../../../suites/core/mutation/scope.ts";
import { writeReport } from "../../report/files.ts";
import { jsonFile } from "../../report/formats/json.ts";
import { readReport, verificationProblems } from "../../report/statement/verification.ts";
import { aReport, contextWith, failures } from "../../report/testing/sample-report.ts";
import { UsageError } from "../../usage-error.ts";

const report = aReport({ outcomes: failures });
const original: unknown = JSON.parse(jsonFile(report));

type Draw = (count: number) => number;

/** A copy with one value, at any depth, replaced or removed. */
function forge(value: unknown, draw: Draw, other: unknown): unknown {
  const isWhole = !Array.isArray(value) && !isObject(value);
  const entries = isWhole ? [] : Object.entries(Object(value));
  if (entries.length === 0 || draw(8) === 0) return other;
  const at = draw(entries.length);
  const forged = entries.flatMap(([key, one], index): [string, unknown][] => {
    if (index !== at) return [[key, one]];
    return draw(10) === 0 ? [] : [[key, forge(one, draw, other)]];
  });
  return Array.isArray(value) ? forged.map(([, one]) => one) : Object.fromEntries(forged);
}

/** Replacement values: some from reports, some not. */
const OTHERS = fc.oneof(
  fc.constantFrom("passed", "failed", "skipped", "achieved", "not_claimed", "CONFORMANT", 0, 1, true, null),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The parts that a reader relies on: the verdict, and the result of each clause, level and check. */
const conclusionsOf = (data: unknown) => ({
  verdict: member(data, "verdict"),
  exit_code: member(data, "exit_code"),
  ended: ["levels", "clauses", "checks"].map((name) =>
    [member(data, name) ?? []].flat().map((one) => [member(one, "id"), member(one, "status")]),
  ),
});

/** The inconsistencies, or the one-line error. Any other error is a bug in the suite. */
async function problemsOf(file: string): Promise<readonly string[]> {
  try {
    return await verificationProblems(readReport(file));
  } catch (error) {
    if (error instanceof UsageError) return [error.message];
    throw error;
  }
}

test("a report with any value changed is refused, is inconsistent, or shows the same results", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeReport(folder, report, contextWith());
  const file = join(folder, "report.json");
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), OTHERS, async (draws, other) => {
      const forged = forge(original, (count) => (draws.next().value ?? 0) % count, other);
      writeFileSync(file, JSON.stringify(forged) ?? "");
      // The forger also made the attestation, so only inconsistencies within the report count.
      const problems = await problemsOf(file);
      const isAccepted = problems.every((problem) => problem.startsWith("attestation.json"));
      expect(isAccepted ? conclusionsOf(forged) : conclusionsOf(original)).toEqual(conclusionsOf(original));
    }),
    { numRuns: testScope().quick ? 25 : 100 },
  );
});
