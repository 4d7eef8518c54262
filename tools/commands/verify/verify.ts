import { createPublicKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Subject } from "../../../suites/core/contract/claims.ts";
import type { Suite } from "../../../suites/core/grading/suite.ts";
import { parseJson } from "../../../suites/core/json.ts";
import schema from "../../report/formats/report.schema.json" with { type: "json" };
import type { Report } from "../../report/model.ts";
import { renderAttestation } from "../../report/statement/attestation.ts";
import { sha256 } from "../../report/statement/digests.ts";
import { reportProblems } from "../../report/statement/recompute.ts";
import { envelopeProblem } from "../../report/statement/signing.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface VerifyFlags {
  key?: string;
  color?: boolean;
}

const FITS = 0;
const DOES_NOT_FIT = 1;
/** More than any report has. */
const MAX_BYTES = 256 * 1024 * 1024;
const MOST_LINES = 30;

const SUITES: Readonly<Record<Subject, () => Promise<Suite>>> = {
  server: async () => (await import("../../../suites/server/suite.ts")).serverSuite(),
  receiver: async () => (await import("../../../suites/receiver/suite.ts")).receiverSuite(),
  client: async () => (await import("../../../suites/client/suite.ts")).clientSuite(),
};

function read(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new UsageError(`${file} is too large for a report`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`${file} can't be read (${code}): give a report's folder, or its report.json`);
  }
}

function optional(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? read(file) : undefined;
}

function parsed(file: string, text: string): Report {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const isReport = ajv.compile<Report>(schema);
  // Of our own making, it may hold more than an answer of a target's does.
  const data: unknown = text.length < MAX_BYTES ? asJson(text) : parseJson(text);
  if (isReport(data)) return data;
  const [error] = isReport.errors ?? [];
  throw new UsageError(
    `${file} is no report: ${error?.instancePath || "the file"} ${error?.message ?? "is none"}`,
  );
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What of attestation.json and its signature doesn't fit the report. */
function attestationProblems(
  folder: string,
  text: string,
  report: Report,
  keyFile?: string,
): readonly string[] {
  const statement = optional(join(folder, "attestation.json"));
  const envelope = optional(join(folder, "attestation.dsse.json"));
  const problems: string[] = [];
  if (statement === undefined) {
    if (envelope !== undefined || keyFile !== undefined) problems.push("attestation.json is missing");
  } else if (!statement.includes(sha256(text))) {
    problems.push("attestation.json is about another report.json, by its digest");
  } else if (statement !== renderAttestation(report)) {
    problems.push("attestation.json says something else than the report");
  }
  if (keyFile === undefined) return problems;
  if (envelope === undefined) return [...problems, "attestation.dsse.json is missing: nothing is signed"];
  const problem = envelopeProblem(envelope, statement ?? "", keyFrom(keyFile));
  return problem === undefined ? problems : [...problems, `attestation.dsse.json ${problem}`];
}

function keyFrom(file: string) {
  const pem = read(file);
  try {
    return createPublicKey(pem);
  } catch {
    throw new UsageError(`--key ${file} is no public key in PEM`);
  }
}

/**
 * Says what in a report doesn't fit.
 * @param path its folder, or report.json in it
 * @returns the exit code: 0 where all of it fits, else 1
 */
export async function verifyReport(path: string, { key }: VerifyFlags, output: Output): Promise<number> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, "report.json") : path;
  const text = read(file);
  const report = parsed(file, text);
  const suite = await SUITES[report.suite.subject]();
  const problems = [
    ...reportProblems(report, suite),
    ...attestationProblems(dirname(file), text, report, key),
  ];
  for (const problem of problems.slice(0, MOST_LINES)) output.result(`DOESN'T FIT  ${problem}`);
  if (problems.length > MOST_LINES) output.result(`… and ${problems.length - MOST_LINES} more`);
  const what = `${report.verdict} of ${report.target.url}, ${report.run.started_at}`;
  if (problems.length > 0) output.result(`\n${file} doesn't fit together: ${what}`);
  else
    output.result(
      `${file} fits: ${what}${key === undefined ? "; unsigned, or not looked at: give --key" : "; signed with this key"}`,
    );
  return problems.length > 0 ? DOES_NOT_FIT : FITS;
}
