import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Subject } from "../../../suites/core/contract/claims.ts";
import type { Suite } from "../../../suites/core/grading/suite.ts";
import { parseJson } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import schema from "../formats/report.schema.json" with { type: "json" };
import type { Report } from "../model.ts";
import { renderAttestation } from "./attestation.ts";
import { sha256 } from "./digests.ts";
import { reportProblems } from "./recompute.ts";
import { envelopeProblem } from "./signing.ts";

/** More than any report has. */
const MAX_BYTES = 256 * 1024 * 1024;

const SUITES: Readonly<Record<Subject, () => Promise<Suite>>> = {
  server: async () => (await import("../../../suites/server/suite.ts")).serverSuite(),
  receiver: async () => (await import("../../../suites/receiver/suite.ts")).receiverSuite(),
  client: async () => (await import("../../../suites/client/suite.ts")).clientSuite(),
};

function read(file: string, name = file, advice = "give a report's folder, or its report.json"): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new UsageError(`${file} is too large for a report`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`${name} can't be read (${code}): ${advice}`);
  }
}

function optional(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? read(file) : undefined;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A report as a file holds it. */
export interface ReportFile {
  /** Path of report.json. */
  readonly file: string;
  readonly text: string;
  readonly report: Report;
}

/**
 * Reads a report.
 * @param path its folder, or report.json in it
 * @throws UsageError for a file that can't be read, or that is no report
 */
export function readReport(path: string): ReportFile {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, "report.json") : path;
  const text = read(file);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const isReport = ajv.compile<Report>(schema);
  // Of our own making, it may hold more than an answer of a target's does.
  const data: unknown = text.length < MAX_BYTES ? asJson(text) : parseJson(text);
  if (data === undefined) throw new UsageError(`${file} is no report: it isn't JSON`);
  if (isReport(data)) return { file, text, report: data };
  const [error] = isReport.errors ?? [];
  throw new UsageError(
    `${file} is no report: ${error?.instancePath || "the file"} ${error?.message ?? "is none"}`,
  );
}

/**
 * What of attestation.json and its signature doesn't fit the report; nothing where there are none.
 * @param key what has to have signed it
 */
export function attestationProblems({ file, text, report }: ReportFile, key?: KeyObject): readonly string[] {
  const folder = dirname(file);
  const statement = optional(join(folder, "attestation.json"));
  const envelope = optional(join(folder, "attestation.dsse.json"));
  const problems: string[] = [];
  if (statement === undefined) {
    if (envelope !== undefined || key !== undefined) problems.push("attestation.json is missing");
  } else if (!statement.includes(sha256(text))) {
    problems.push("attestation.json is about another report.json, by its digest");
  } else if (statement !== renderAttestation(report)) {
    problems.push("attestation.json says something else than the report");
  }
  if (key === undefined) return problems;
  if (envelope === undefined) return [...problems, "attestation.dsse.json is missing: nothing is signed"];
  const problem = envelopeProblem(envelope, statement ?? "", key);
  return problem === undefined ? problems : [...problems, `attestation.dsse.json ${problem}`];
}

/**
 * The key that --key names.
 * @throws UsageError
 */
export function publicKeyFrom(file: string): KeyObject {
  const pem = read(file, `--key ${file}`, "give the public key's file, in PEM");
  try {
    return createPublicKey(pem);
  } catch {
    throw new UsageError(`--key ${file} is no public key in PEM`);
  }
}

/** Everything that doesn't fit: the report with the suite at hand, and its statement with it. */
export async function verificationProblems(found: ReportFile, key?: KeyObject): Promise<readonly string[]> {
  const suite = await SUITES[found.report.suite.subject]();
  return [...reportProblems(found.report, suite), ...attestationProblems(found, key)];
}
