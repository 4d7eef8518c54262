import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { NAME, VERSION } from "../package.ts";
import { SIGNED_FILE } from "../report/files.ts";
import type { Report } from "../report/model.ts";
import { type ReportFile, readReport, verificationProblems } from "../report/statement/verification.ts";
import { schemaMistake } from "../settings/schema-mistake.ts";
import { parseYaml } from "../settings/yaml-file.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { UsageError } from "../usage-error.ts";
import schema from "./implementation.schema.json" with { type: "json" };

const VERSION_FORMAT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** The exit code of the command `verify` for an invalid report. */
const EXIT_INVALID = 1;

/**
 * Verifies a report with the version of the suite that wrote it. npx fetches that version.
 * @param folder the report's folder
 * @returns the problem in one line; undefined if there is none
 */
function otherVersionProblem(folder: string, version: string): string | undefined {
  if (!VERSION_FORMAT.test(version)) return `its suite version, ${version}, isn't a valid version`;
  const args = ["--yes", "--package", `${NAME}@${version}`, "--", NAME, "verify", folder, "--no-color"];
  const { status, stdout, error } = spawnSync("npx", args, { encoding: "utf8" });
  if (error) return `npx can't be started to fetch ${NAME} ${version}: ${error.message}`;
  if (status === 0) return undefined;
  // npx exits with 1 too if it can't fetch the package, but prints nothing to stdout.
  const [first = ""] = status === EXIT_INVALID ? stdout.split("\n", 1) : [];
  return first === ""
    ? `${NAME} ${version}, which wrote the report, can't be fetched or can't read the report`
    : `${NAME} ${version}, which wrote the report, says: ${first}`;
}

/** implementation.yaml, as described by its schema (tools/results/implementation.schema.json). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly by: string;
  readonly url: string;
}

/** A submitted result, with the contents of its folder. */
export interface Entry {
  /** The path from the results' folder: `acme-dispatch/1.2.0`. */
  readonly path: string;
  readonly implementation: Implementation;
  readonly report: Report;
  /** True if verification needs another version of the suite, which wasn't fetched. */
  readonly unverified: boolean;
}

/** An entry, or the sentence that says why it is invalid. */
export type FoundEntry =
  | { readonly path: string; readonly entry: Entry }
  | { readonly path: string; readonly problem: string };

export const IMPLEMENTATION_FILE = "implementation.yaml";
const REQUIRED_FILES = [IMPLEMENTATION_FILE, "report.json", "attestation.json"] as const;
const ALLOWED_FILES: readonly string[] = [...REQUIRED_FILES, SIGNED_FILE];

/** Validates the contents of implementation.yaml. Afterwards, `isImplementation.errors` contains the first error. */
export const isImplementation = new Ajv2020({
  strict: false,
  verbose: true,
  validateSchema: false,
}).compile<Implementation>(schema);

function readImplementation(file: string): Implementation {
  const text = readUntrusted(file, "an entry needs it to name the implementation").toString();
  const { content: data } = parseYaml(file, text);
  if (isImplementation(data)) return data;
  throw new UsageError(`${IMPLEMENTATION_FILE}: ${schemaMistake(isImplementation.errors?.[0])}`);
}

/** The path of an implementation's folder, such as `acme-dispatch/1.2.0`. */
export const folderOf = ({ name, version }: Implementation): string =>
  `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")}/${version}`;

/** Why a run can't be a submitted result; undefined if it can. */
export function runProblem({ run, verdict }: Report): string | undefined {
  if (verdict === "ERROR") return "the run failed (ERROR), so it has no conclusive results";
  if (run.filtered)
    return "the run was filtered by --only or --skip: submit a run with all checks of the claimed levels";
  if (!run.complete) return "the run ended early: submit a complete run";
  return undefined;
}

export const inOneLine = (problems: readonly string[]): string | undefined =>
  problems.length > 1 ? `${problems[0]} (and ${problems.length - 1} more)` : problems[0];

export const isOwnVersion = ({ report }: ReportFile): boolean => report.suite.version === VERSION;

/** A sentence about the first problem of an entry; undefined if there is none. */
async function problemOf(
  folder: string,
  path: string,
  implementation: Implementation,
  reportFile: ReportFile,
  fetchOthers: boolean,
): Promise<string | undefined> {
  const expectedPath = folderOf(implementation);
  if (path !== expectedPath) {
    return `${IMPLEMENTATION_FILE} names ${implementation.name} ${implementation.version}, which belongs in the folder ${expectedPath}`;
  }
  const problem = runProblem(reportFile.report);
  if (problem !== undefined) return problem;
  if (isOwnVersion(reportFile)) return inOneLine(await verificationProblems(reportFile));
  return fetchOthers ? otherVersionProblem(join(folder, path), reportFile.report.suite.version) : undefined;
}

/**
 * Reads and verifies an entry.
 * @param folder the results' folder
 * @param path the entry's path: implementation/version
 * @param fetchOthers true to verify a report of another version of the suite with that version, from the registry
 */
async function readEntry(folder: string, path: string, fetchOthers: boolean): Promise<FoundEntry> {
  try {
    const files = readdirSync(join(folder, path));
    const missing = REQUIRED_FILES.find((name) => !files.includes(name));
    if (missing !== undefined) return { path, problem: `${missing} is missing` };
    const unknownFile = files.find((name) => !ALLOWED_FILES.includes(name));
    if (unknownFile !== undefined)
      return {
        path,
        problem: `${unknownFile} isn't part of an entry; allowed are ${ALLOWED_FILES.join(", ")}`,
      };
    const implementation = readImplementation(join(folder, path, IMPLEMENTATION_FILE));
    const reportFile = readReport(join(folder, path));
    const problem = await problemOf(folder, path, implementation, reportFile, fetchOthers);
    if (problem !== undefined) return { path, problem };
    const unverified = !isOwnVersion(reportFile) && !fetchOthers;
    return { path, entry: { path, implementation, report: reportFile.report, unverified } };
  } catch (error) {
    if (error instanceof UsageError)
      return { path, problem: error.message.replaceAll(`${join(folder, path)}/`, "") };
    throw error;
  }
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/**
 * Verifies all entries of a folder, ordered by implementation and version.
 * @throws UsageError if the folder doesn't exist
 */
export async function findEntries(folder: string, fetchOthers = false): Promise<readonly FoundEntry[]> {
  let implementations: readonly string[];
  try {
    implementations = foldersIn(folder);
  } catch {
    throw new UsageError(
      `${folder} isn't a folder of results: each result is in ${folder}/IMPLEMENTATION/VERSION`,
    );
  }
  const paths = implementations.flatMap((name) =>
    foldersIn(join(folder, name)).map((version) => `${name}/${version}`),
  );
  const entries: FoundEntry[] = [];
  for (const path of paths) entries.push(await readEntry(folder, path, fetchOthers));
  return entries;
}
