import type { KeyObject } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { textOf } from "../../suites/core/json.ts";
import { makeFolder } from "../folder.ts";
import { NAME } from "../package.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileAtomically } from "../whole-file.ts";
import { renderBadge } from "./formats/badge.ts";
import { renderCtrf } from "./formats/ctrf.ts";
import { renderHar } from "./formats/har.ts";
import { renderHttpFile } from "./formats/http-file.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report, ReportContext } from "./model.ts";
import { renderAttestation } from "./statement/attestation.ts";
import { sha256 } from "./statement/digests.ts";
import { signedEnvelope } from "./statement/signing.ts";

/** The number of bytes read to recognize a report. A report begins with the name of its suite. */
const HEAD_BYTES = 1024;

const SUITE_NAME = new RegExp(`"suite":\\s*\\{\\s*"name":\\s*"${NAME}"`);

/** True for a report of any version of this suite. A link is never a report. */
function isOurReport(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return SUITE_NAME.test(head.toString("utf8", 0, readSync(opened, head)));
  } finally {
    closeSync(opened);
  }
}

const kindOf = (file: string) => {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return "nothing";
  if (found.isFile()) return "file";
  return found.isDirectory() ? "folder" : "link";
};

interface ReportFiles {
  /** The file that marks a folder as a report. */
  readonly marker: string;
  /** The names of all other files. */
  readonly names: readonly string[];
  /** The subfolder with a file per failure, and the extension of those files. */
  readonly ofFailures: { readonly folder: string; readonly ending: string };
}

/**
 * Creates a report's folder, or removes an earlier report from it. Other files stay.
 * @throws UsageError if the folder contains files but no report. Nothing is changed in this case
 */
function takeReportFolder(folder: string, { marker, names, ofFailures }: ReportFiles): void {
  makeFolder(resolve(folder));
  if (readdirSync(folder).length === 0) return;
  if (!isOurReport(join(folder, marker))) {
    throw new UsageError(
      `--report ${folder} contains files other than an earlier report of ${NAME}: give a new or an empty folder`,
    );
  }
  const failures = join(folder, ofFailures.folder);
  const files = [
    ...[marker, ...names].map((name) => join(folder, name)),
    ...(kindOf(failures) === "folder"
      ? readdirSync(failures)
          .filter((name) => name.endsWith(ofFailures.ending))
          .map((name) => join(failures, name))
      : []),
  ];
  const strange =
    files.find((file) => !["nothing", "file"].includes(kindOf(file))) ??
    (["nothing", "folder"].includes(kindOf(failures)) ? undefined : failures);
  if (strange !== undefined) {
    throw new UsageError(
      `--report ${folder} can't be used: ${strange} isn't part of a report; give another folder`,
    );
  }
  for (const file of files) rmSync(file, { force: true });
  if (kindOf(failures) === "folder" && readdirSync(failures).length === 0) rmdirSync(failures);
}

/**
 * The files that --report writes: each name with its renderer. report.json comes first, because the others derive from
 * it.
 */
const FILES: Readonly<Record<string, (report: Report, context: ReportContext) => string>> = {
  "report.json": renderJson,
  "report.html": renderHtml,
  "junit.xml": renderJunit,
  "ctrf.json": renderCtrf,
  "summary.md": renderSummary,
  "badge.svg": renderBadge,
  "exchanges.har": renderHar,
};
const STATEMENT_FILE = "attestation.json";
/** The files whose digests are in the attestation. */
export const STATED_FILES: readonly string[] = Object.keys(FILES);

/** The folder with the requests of failures, one file for each check. */
const FAILURES = { folder: "failures", ending: ".http" };
/** The names of the files that --report writes. */
export const REPORT_FILES: readonly string[] = [...STATED_FILES, STATEMENT_FILE];
/** The signed attestation, which --sign writes. */
export const SIGNED_FILE = "attestation.dsse.json";

/** The file that marks a folder as a report. */
const MARKER = "report.json";

/**
 * Creates the report's folder before the run, and tests that files can be written. Deletes an earlier report, because it
 * could be mistaken for the report of this run.
 * @throws UsageError if files can't be written, or if the folder contains other files
 */
export function prepareReportFolder(folder: string): void {
  try {
    const names = [...REPORT_FILES, SIGNED_FILE];
    takeReportFolder(folder, { marker: MARKER, names, ofFailures: FAILURES });
    writeFileAtomically(join(folder, MARKER), "");
    rmSync(join(folder, MARKER));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(unwritable(folder, error));
  }
}

/** The error message for a folder in which files can't be written. */
export function unwritable(folder: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? textOf(error.code) : "unwritable";
  return `--report ${folder} isn't writable (${code}): give another folder`;
}

export interface WrittenReport {
  readonly files: readonly string[];
  /** Why files are missing; undefined if all files were written. */
  readonly problem: string | undefined;
}

/**
 * Writes as many files as possible: on a full disk, a smaller file may still fit.
 * @param key the signing key of the attestation
 */
export function writeReport(
  folder: string,
  report: Report,
  context: ReportContext,
  key?: KeyObject,
): WrittenReport {
  let problem: string | undefined;
  const write = (file: string, text: string, mode?: number): readonly string[] => {
    try {
      makeFolder(dirname(resolve(file)));
      writeFileAtomically(file, text, mode);
      return [file];
    } catch (error) {
      problem ??= unwritable(folder, error);
      return [];
    }
  };
  const digests: Record<string, string> = {};
  const files = Object.entries(FILES).flatMap(([name, render]) => {
    const text = render(report, context);
    digests[name] = sha256(text);
    return write(join(folder, name), text);
  });
  const statement = renderAttestation(report, digests);
  files.push(...write(join(folder, STATEMENT_FILE), statement));
  const signed = key === undefined ? [] : write(join(folder, SIGNED_FILE), signedEnvelope(statement, key));
  for (const check of report.checks) {
    const requests = check.status === "failed" ? renderHttpFile(check) : undefined;
    if (requests !== undefined) write(requestsFile(folder, check.id), requests);
  }
  return { files: [...files, ...signed], problem };
}

/** The path of the file with the requests of a failed check. */
export const requestsFile = (folder: string, id: string): string =>
  join(folder, FAILURES.folder, `${id}${FAILURES.ending}`);
