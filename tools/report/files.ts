import type { KeyObject } from "node:crypto";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder } from "../folder.ts";
import { UsageError } from "../usage-error.ts";
import { writeWhole } from "../whole-file.ts";
import { renderBadge } from "./formats/badge.ts";
import { renderHar } from "./formats/har.ts";
import { renderJson } from "./formats/json.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report, ReportContext } from "./model.ts";
import { renderAttestation } from "./statement/attestation.ts";
import { signedEnvelope } from "./statement/signing.ts";

/** What --report writes: each file's name, and how it is made of the report. report.json stands last: then all are there. */
const FILES: Readonly<Record<string, (report: Report, context: ReportContext) => string>> = {
  "report.html": renderHtml,
  "junit.xml": renderJunit,
  "summary.md": renderSummary,
  "badge.svg": renderBadge,
  "exchanges.har": renderHar,
  "attestation.json": renderAttestation,
  "report.json": renderJson,
};

/** The folder of the scripts that repeat what failed, a file for each check. */
const SCRIPTS = "repro";
/** Names of the files that --report writes. */
export const REPORT_FILES: readonly string[] = Object.keys(FILES);
/** Written where a key is given. */
export const SIGNED_FILE = "attestation.dsse.json";

/**
 * Makes the report's folder and sees that files can be written there, before the run. An earlier run's report doesn't stay
 * to speak for this one, which may break off.
 * @throws UsageError when they can't
 */
export function prepareReportFolder(folder: string): void {
  try {
    makeFolder(resolve(folder));
    for (const name of [SIGNED_FILE, ...REPORT_FILES]) {
      writeWhole(join(folder, name), "");
      rmSync(join(folder, name));
    }
    rmSync(join(folder, SCRIPTS), { recursive: true, force: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unwritable";
    throw new UsageError(`--report ${folder} can't be written to (${code}): give another folder`);
  }
}

/**
 * @param key what the attestation is signed with
 * @returns the files that were written
 */
export function writeReport(
  folder: string,
  report: Report,
  context: ReportContext,
  key?: KeyObject,
): readonly string[] {
  const signed = join(folder, SIGNED_FILE);
  if (key !== undefined) writeWhole(signed, signedEnvelope(renderAttestation(report), key));
  for (const { id, script } of report.checks) {
    if (script === undefined) continue;
    makeFolder(resolve(folder, SCRIPTS));
    writeWhole(scriptFile(folder, id), script, 0o755);
  }
  const files = Object.entries(FILES).map(([name, render]) => {
    const file = join(folder, name);
    writeWhole(file, render(report, context));
    return file;
  });
  return key === undefined ? files : [signed, ...files];
}

/** Where the report keeps the script that repeats a failed check. */
export const scriptFile = (folder: string, id: string): string => join(folder, SCRIPTS, `${id}.sh`);
