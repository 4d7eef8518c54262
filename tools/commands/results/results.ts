import { counted } from "../../report/text/counted.ts";
import { certifiedLevels, openFailures } from "../../results/certified.ts";
import { type FoundEntry, findEntries } from "../../results/entry.ts";
import type { Output } from "../../terminal/output.ts";

export interface ResultsFlags {
  fetch?: boolean;
  json?: boolean;
  color?: boolean;
}

function line(foundEntry: FoundEntry): string {
  if ("problem" in foundEntry) return `REFUSED  ${foundEntry.path}: ${foundEntry.problem}`;
  const { implementation, report, unverified } = foundEntry.entry;
  const levels = certifiedLevels(report).join(", ") || "at no level";
  const open = openFailures(report).length;
  const rest = [
    ...(open > 0 ? [counted(open, "open failure")] : []),
    ...(unverified
      ? [`not verified: made with version ${report.suite.version} of the suite (--fetch verifies it)`]
      : []),
  ];
  return `${report.verdict}  ${foundEntry.path}: ${implementation.name} ${implementation.version}, ${report.suite.subject}, ${levels}, by ${report.suite.name} ${report.suite.version}${rest.map((text) => `; ${text}`).join("")}`;
}

/**
 * Verifies all results in a folder, and prints a line for each result.
 * @returns the exit code: 1 if a result is invalid
 * @throws UsageError if the folder doesn't exist
 */
export async function verifyResults(
  folder: string,
  { fetch }: ResultsFlags,
  output: Output,
): Promise<number> {
  const foundEntry = await findEntries(folder, fetch === true);
  for (const one of foundEntry) output.result(line(one));
  const refused = foundEntry.filter((one) => "problem" in one).length;
  output.result(
    foundEntry.length === 0
      ? `${folder} contains no results`
      : `${counted(foundEntry.length, "result")}, ${refused === 0 ? "all valid" : `${refused} refused`}`,
  );
  output.data(
    foundEntry.map((one) =>
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
