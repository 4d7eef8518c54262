import { statSync } from "node:fs";
import { join } from "node:path";
import type { ReportedStatus } from "../report/status.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { UsageError } from "../usage-error.ts";

/** The parts of a report that are compared and saved. */
export interface RunSummary {
  readonly suite: { readonly version: string; readonly subject: string };
  /** The target's URL; for the embedded server or a client, its name. */
  readonly target: { readonly url: string };
  readonly run: { readonly duration_ms: number };
  readonly verdict: string;
  readonly checks: readonly SummarizedCheck[];
}

export interface SummarizedCheck {
  readonly id: string;
  readonly status: ReportedStatus;
  readonly severity: string;
  readonly message?: string;
  readonly duration_ms?: number;
}

/** A report without its evidence. */
export const summaryOf = ({ suite, target, run, verdict, checks }: RunSummary): RunSummary => ({
  suite: { version: suite.version, subject: suite.subject },
  target: { url: target.url },
  run: { duration_ms: run.duration_ms },
  verdict,
  checks: checks.map(({ id, status, severity, message, duration_ms }) => ({
    id,
    status,
    severity,
    ...(message !== undefined && { message }),
    ...(typeof duration_ms === "number" && { duration_ms }),
  })),
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const has = <Key extends string>(value: unknown, ...keys: readonly Key[]): value is Record<Key, unknown> =>
  isObject(value) && keys.every((key) => key in value);

const isCheck = (value: unknown): boolean =>
  has(value, "id", "status", "severity") &&
  [value.id, value.status, value.severity].every((text) => typeof text === "string");

/** True for a report of any version, and for a saved summary. */
const isSummary = (data: unknown): data is RunSummary =>
  has(data, "suite", "target", "run", "verdict", "checks") &&
  has(data.suite, "version", "subject") &&
  has(data.target, "url") &&
  has(data.run, "duration_ms") &&
  typeof data.run.duration_ms === "number" &&
  typeof data.verdict === "string" &&
  Array.isArray(data.checks) &&
  data.checks.every(isCheck);

const ADVICE = "give a report's folder, or its report.json";

/**
 * Reads the compared parts of a report of any version.
 * @param path the report's folder, or its report.json
 * @throws UsageError if `path` isn't a report
 */
export function readSummary(path: string): RunSummary {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, "report.json") : path;
  const data = parsed(readUntrusted(file, ADVICE).toString());
  if (isSummary(data)) return summaryOf(data);
  throw new UsageError(`${file} isn't a report: ${ADVICE}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
