import { publicKeyFrom, readReport, verificationProblems } from "../../report/statement/verification.ts";
import type { Output } from "../../terminal/output.ts";

export interface VerifyFlags {
  key?: string;
  color?: boolean;
}

const EXIT_VALID = 0;
const EXIT_INVALID = 1;
const MAX_LINES = 30;

/**
 * Prints the problems of a report and its attestation.
 * @param path the report's folder, or its report.json
 * @returns the exit code: 0 if the report is valid, otherwise 1
 */
export async function verifyReport(path: string, { key }: VerifyFlags, output: Output): Promise<number> {
  const found = readReport(path);
  const { file, report } = found;
  const problems = await verificationProblems(found, key === undefined ? undefined : publicKeyFrom(key));
  for (const problem of problems.slice(0, MAX_LINES)) output.result(`INVALID  ${problem}`);
  if (problems.length > MAX_LINES) output.result(`… and ${problems.length - MAX_LINES} more`);
  const what = `${report.verdict} of ${report.target.url}, ${report.run.started_at}`;
  if (problems.length > 0) output.result(`\n${file} contradicts itself or its attestation: ${what}`);
  else
    output.result(
      `${file} is valid: ${what}${key === undefined ? "; its signature was not verified (give --key)" : "; signed with this key"}`,
    );
  return problems.length > 0 ? EXIT_INVALID : EXIT_VALID;
}
