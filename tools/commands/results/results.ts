import { counted } from "../../report/text/counted.ts";
import { certifiedLevels, openFailures } from "../../results/certified.ts";
import { type FoundEntry, findEntries } from "../../results/entry.ts";
import type { Output } from "../../terminal/output.ts";

export interface ResultsFlags {
  fetch?: boolean;
  json?: boolean;
  color?: boolean;
}

function line(found: FoundEntry): string {
  if ("problem" in found) return `REFUSED  ${found.path}: ${found.problem}`;
  const { implementation, report, unverified } = found.entry;
  const levels = certifiedLevels(report).join(", ") || "at no level";
  const open = openFailures(report).length;
  const rest = [
    ...(open > 0 ? [counted(open, "open failure")] : []),
    ...(unverified
      ? [`not verified: made with version ${report.suite.version} of the suite (--fetch verifies it)`]
      : []),
  ];
  return `${report.verdict}  ${found.path}: ${implementation.name} ${implementation.version}, ${report.suite.subject}, ${levels}, by ${report.suite.name} ${report.suite.version}${rest.map((text) => `; ${text}`).join("")}`;
}

/**
 * Verifies all results in a folder, and prints a line for each.
 * @returns the exit code: 1 if one is invalid
 * @throws UsageError if the folder doesn't exist
 */
export async function verifyResults(
  folder: string,
  { fetch }: ResultsFlags,
  output: Output,
): Promise<number> {
  const found = await findEntries(folder, fetch === true);
  for (const one of found) output.result(line(one));
  const refused = found.filter((one) => "problem" in one).length;
  output.result(
    found.length === 0
      ? `${folder} contains no results`
      : `${counted(found.length, "result")}, ${refused === 0 ? "all valid" : `${refused} refused`}`,
  );
  output.data(
    found.map((one) =>
      "problem" in one
        ? one
        : {
            path: one.path,
            implementation: one.entry.implementation,
            verdict: one.entry.report.verdict,
            levels: certifiedLevels(one.entry.report),
            suite: one.entry.report.suite,
            verified: !one.entry.unverified,
            open_failures: openFailures(one.entry.report).map(({ id }) => id),
          },
    ),
  );
  return refused > 0 ? 1 : 0;
}
