import type { KeyObject } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../folder.ts";
import { UsageError } from "../usage-error.ts";
import { writeWhole } from "../whole-file.ts";
import { takeReportFolder } from "./folder.ts";
import { renderBadge } from "./formats/badge.ts";
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

/** What --report writes: each file's name, and how it is made of the report. report.json comes first: the others are made from it. */
const FILES: Readonly<Record<string, (report: Report, context: ReportContext) => string>> = {
  "report.json": renderJson,
  "report.html": renderHtml,
  "junit.xml": renderJunit,
  "summary.md": renderSummary,
  "badge.svg": renderBadge,
  "exchanges.har": renderHar,
};
const STATEMENT_FILE = "attestation.json";
/** What the statement is about. */
export const STATED_FILES: readonly string[] = Object.keys(FILES);

/** The folder of what failed, with a file of each check's requests. */
const FAILURES = { folder: "failures", ending: ".http" };
/** Names of the files that --report writes. */
export const REPORT_FILES: readonly string[] = [...STATED_FILES, STATEMENT_FILE];
/** Written where a key is given. */
export const SIGNED_FILE = "attestation.dsse.json";

/** What the others are made from: where it is, a report is. */
const MARKER = "report.json";

/**
 * Makes the report's folder and sees that files can be written there, before the run. An earlier run's report doesn't stay
 * to speak for this one, which may break off.
 * @throws UsageError when they can't, or when the folder holds something else
 */
export function prepareReportFolder(folder: string): void {
  try {
    const names = [...REPORT_FILES, SIGNED_FILE];
    takeReportFolder(folder, { marker: MARKER, names, ofFailures: FAILURES });
    writeWhole(join(folder, MARKER), "");
    rmSync(join(folder, MARKER));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(unwritable(folder, error));
  }
}

/** Why a file of the report isn't there, in a line. */
export function unwritable(folder: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unwritable";
  return `--report ${folder} can't be written to (${code}): give another folder`;
}

export interface WrittenReport {
  readonly files: readonly string[];
  /** Why others are missing, in a line; undefined where all were written. */
  readonly problem: string | undefined;
}

/**
 * Writes all of it that can be: a disk that is full may have room for the next file.
 * @param key what the attestation is signed with
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
      writeWhole(file, text, mode);
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

/** Where the report keeps the requests of a failed check. */
export const requestsFile = (folder: string, id: string): string =>
  join(folder, FAILURES.folder, `${id}${FAILURES.ending}`);
