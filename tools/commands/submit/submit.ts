import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { NAME, VERSION } from "../../package.ts";
import { SIGNED_FILE } from "../../report/files.ts";
import { type ReportFile, readReport, verificationProblems } from "../../report/statement/verification.ts";
import { counted } from "../../report/text/counted.ts";
import { certifiedLevels, openFailures } from "../../results/certified.ts";
import {
  folderOf,
  IMPLEMENTATION_FILE,
  type Implementation,
  inOneLine,
  isImplementation,
  isOwnVersion,
  runProblem,
} from "../../results/entry.ts";
import { inShell } from "../../settings/in-shell.ts";
import { schemaMistake } from "../../settings/schema-mistake.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface SubmitFlags {
  readonly name: string;
  readonly release: string;
  readonly by: string;
  readonly url: string;
}

/** @throws UsageError that names the flag */
function implementationFrom({ name, release, by, url }: SubmitFlags): Implementation {
  const data: unknown = { name, version: release, by, url };
  if (isImplementation(data)) return data;
  const mistake = schemaMistake(isImplementation.errors?.[0]);
  throw new UsageError(`--${mistake.replace(/^version\b/, "release")}`);
}

/** Why a report can't be submitted, in a line; undefined if it can. */
async function refusal(found: ReportFile): Promise<string | undefined> {
  const { report, file } = found;
  if (!isOwnVersion(found))
    return `it was made with version ${report.suite.version} of the suite, and this is ${VERSION}: use that version, or run again`;
  if (!existsSync(join(dirname(file), "attestation.json")))
    return "attestation.json is missing: submit a folder as --report wrote it";
  return runProblem(report) ?? inOneLine(await verificationProblems(found));
}

/** The title and text of the pull request, in Markdown. */
function pullRequest({ name, version, by, url }: Implementation, { report, digest }: ReportFile) {
  const levels = certifiedLevels(report).join(", ") || "no level";
  const open = openFailures(report);
  return {
    title: `Add the result of ${name} ${version} (${report.suite.subject}): ${report.verdict}`,
    text: [
      `${name} ${version} by ${by}: <${url}>`,
      "",
      `- Verdict: ${report.verdict}, certified: ${levels}`,
      `- Suite: ${report.suite.name} ${report.suite.version}, seed ${report.run.seed}, ${report.run.started_at}`,
      `- ${counted(open.length, "open failure")}${open.length > 0 ? `: ${open.map(({ id }) => `\`${id}\``).join(", ")}` : ""}`,
      `- SHA-256 of report.json: \`${digest}\``,
      "",
      `\`${NAME} submit\` verified the report. The pull request adds only the report's folder.`,
    ].join("\n"),
  };
}

/**
 * Prints the commands that add the report under results/, and the text of the pull request.
 * @param path the report's folder, or report.json in it
 * @returns the exit code: 1 if the report is refused
 * @throws UsageError for wrong flags, and for a file that can't be read
 */
export async function submit(path: string, flags: SubmitFlags, output: Output): Promise<number> {
  const implementation = implementationFrom(flags);
  const found = readReport(path);
  const problem = await refusal(found);
  if (problem !== undefined) {
    output.result(`REFUSED  ${found.file}: ${problem}`);
    output.data({ problem });
    return 1;
  }
  const source = dirname(found.file);
  const folder = `results/${folderOf(implementation)}`;
  const names = ["report.json", "attestation.json", SIGNED_FILE];
  const copied = names.map((name) => join(source, name)).filter((file) => existsSync(file));
  const description = stringify(implementation);
  const { title, text } = pullRequest(implementation, found);
  output.result(
    [
      `In a clone of the repository, copy the report:\n`,
      `mkdir -p ${inShell(folder)}`,
      `cp ${copied.map(inShell).join(" ")} ${inShell(folder)}/\n`,
      `Add ${folder}/${IMPLEMENTATION_FILE}:\n`,
      description,
      `Open a pull request, "${title}":\n`,
      text,
    ].join("\n"),
  );
  output.data({ folder, copied, [IMPLEMENTATION_FILE]: description, title, text });
  return 0;
}
