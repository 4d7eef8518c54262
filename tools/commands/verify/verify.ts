import { publicKeyFrom, readReport, verificationProblems } from "../../report/statement/verification.ts";
import type { Output } from "../../terminal/output.ts";

export interface VerifyFlags {
  key?: string;
  color?: boolean;
}

const FITS = 0;
const DOES_NOT_FIT = 1;
const MAX_LINES = 30;

/**
 * Prints the inconsistencies of a report.
 * @param path its folder, or report.json in it
 * @returns the exit code: 0 if the report is consistent, else 1
 */
export async function verifyReport(path: string, { key }: VerifyFlags, output: Output): Promise<number> {
  const found = readReport(path);
  const { file, report } = found;
  const problems = await verificationProblems(found, key === undefined ? undefined : publicKeyFrom(key));
  for (const problem of problems.slice(0, MAX_LINES)) output.result(`INVALID  ${problem}`);
  if (problems.length > MAX_LINES) output.result(`… and ${problems.length - MAX_LINES} more`);
  const what = `${report.verdict} of ${report.target.url}, ${report.run.started_at}`;
  if (problems.length > 0) output.result(`\n${file} doesn't fit together: ${what}`);
  else
    output.result(
      `${file} is valid: ${what}${key === undefined ? "; its signature is not verified (give --key)" : "; signed with this key"}`,
    );
  return problems.length > 0 ? DOES_NOT_FIT : FITS;
}
