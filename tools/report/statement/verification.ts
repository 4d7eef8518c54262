import { createPublicKey, type KeyObject } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { jsonExcess, member, parseJson, textMember } from "../../../suites/core/json.ts";
import { ambiguousJson } from "../../../suites/core/json-bytes.ts";
import { pemFile } from "../../settings/values.ts";
import { suiteOf } from "../../suites.ts";
import { readUntrusted, readUntrustedIfExists } from "../../untrusted-file.ts";
import { UsageError } from "../../usage-error.ts";
import { STATED_FILES } from "../files.ts";
import schema from "../formats/report.schema.json" with { type: "json" };
import { type Report, SCHEMA_VERSION } from "../model.ts";
import { type Digests, renderAttestation } from "./attestation.ts";
import { sha256 } from "./digests.ts";
import { reportProblems } from "./recompute.ts";
import { envelopeProblem } from "./signing.ts";

/** The maximum number of values in a report. A file with more values isn't parsed. */
const MAX_VALUES = 2_000_000;

const ADVICE = "give a report's folder, or its report.json";

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ReportFile {
  readonly file: string;
  /** The SHA-256 digest of the file. */
  readonly digest: string;
  readonly report: Report;
}

/**
 * Reads a report.
 * @param path the report's folder, or its report.json
 * @throws UsageError if the file can't be read or isn't a report
 */
export function readReport(path: string): ReportFile {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, "report.json") : path;
  const bytes = readUntrusted(file, ADVICE);
  const text = bytes.toString();
  const excess = jsonExcess(text, MAX_VALUES);
  if (excess !== undefined) throw new UsageError(`${file} isn't a report: ${excess}`);
  const data = asJson(text);
  if (data === undefined) throw new UsageError(`${file} isn't a report: the file isn't JSON`);
  const ambiguity = ambiguousJson(text, data);
  if (ambiguity !== undefined) throw new UsageError(`${file} isn't a report: the file ${ambiguity}`);
  const format = member(data, "schema_version");
  if (format !== SCHEMA_VERSION && textMember(data, "schema") !== undefined)
    throw new UsageError(
      `${file} has report format ${typeof format === "number" ? format : 1}, and this version of the suite reads format ${SCHEMA_VERSION}: run it again, or read it with the version that wrote it (${textMember(data, "suite", "version") ?? "not named"})`,
    );
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  const isReport = ajv.compile<Report>(schema);
  if (isReport(data)) return { file, digest: sha256(bytes), report: data };
  const [error] = isReport.errors ?? [];
  throw new UsageError(
    `${file} isn't a report: ${error?.instancePath || "the file"} ${error?.message ?? "isn't a report"}`,
  );
}

/** The digests of report files in a statement; empty for a malformed statement. */
function statedDigests(statement: string): Digests {
  const subjects = member(parseJson(statement), "subject");
  return Object.fromEntries(
    (Array.isArray(subjects) ? subjects : []).flatMap((subject: unknown) => {
      const name = textMember(subject, "name");
      const digest = textMember(subject, "digest", "sha256");
      return name !== undefined && digest !== undefined && STATED_FILES.includes(name)
        ? [[name, digest]]
        : [];
    }),
  );
}

/** A line for each file that differs from its digest in the statement. */
function changedFiles(folder: string, stated: Digests): readonly string[] {
  return STATED_FILES.filter((name) => name !== "report.json").flatMap((name) => {
    const bytes = readUntrustedIfExists(join(folder, name), ADVICE);
    if (bytes === undefined || stated[name] === sha256(bytes)) return [];
    return [`${name} doesn't match its digest in attestation.json`];
  });
}

/**
 * Differences between the report and its attestation or signature; empty for a report without attestation.
 * @param key the expected signing key
 */
function attestationProblems({ file, digest, report }: ReportFile, key?: KeyObject): readonly string[] {
  const folder = dirname(file);
  const statement = readUntrustedIfExists(join(folder, "attestation.json"), ADVICE)?.toString();
  const envelope = readUntrustedIfExists(join(folder, "attestation.dsse.json"), ADVICE)?.toString();
  const problems: string[] = [];
  if (statement === undefined) {
    if (envelope !== undefined || key !== undefined) problems.push("attestation.json is missing");
  } else {
    const stated = statedDigests(statement);
    if (stated["report.json"] !== digest)
      problems.push("report.json doesn't match its digest in attestation.json");
    else if (statement !== renderAttestation(report, stated))
      problems.push("attestation.json contradicts the report");
    problems.push(...changedFiles(folder, stated));
  }
  if (key === undefined) return problems;
  if (envelope === undefined)
    return [...problems, "attestation.dsse.json is missing: the report isn't signed"];
  const problem = envelopeProblem(envelope, statement ?? "", key);
  return problem === undefined ? problems : [...problems, `attestation.dsse.json ${problem}`];
}

const PRIVATE_KEY = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/m;

/**
 * The key of --key.
 * @throws UsageError
 */
export function publicKeyFrom(file: string): KeyObject {
  const pem = pemFile(file, "--key", "give the public key's file, in PEM");
  if (PRIVATE_KEY.test(pem)) {
    throw new UsageError(
      `--key ${file} is a private key: give the public key (openssl pkey -pubout writes it)`,
    );
  }
  try {
    return createPublicKey(pem);
  } catch {
    throw new UsageError(`--key ${file} isn't a public key in PEM`);
  }
}

/** A line for each problem of a report and its attestation; empty for a valid report. */
export async function verificationProblems(found: ReportFile, key?: KeyObject): Promise<readonly string[]> {
  const suite = await suiteOf[found.report.suite.subject]();
  return [...reportProblems(found.report, suite), ...attestationProblems(found, key)];
}
