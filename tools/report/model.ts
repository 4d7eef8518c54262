import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Claim, Subject } from "../../suites/core/claims.ts";
import type { Tidied } from "../../suites/core/cleanup-report.ts";
import type { ReportedExchange } from "../../suites/core/exchange.ts";
import type { Grade } from "../../suites/core/grade.ts";
import type { Clause } from "../../suites/core/ledger.ts";
import type { CheckStatus, Outcome, TimelineTrack } from "../../suites/core/outcome.ts";
import type { SuiteCheck } from "../../suites/core/suite.ts";
import type { BaselineFindings } from "../certification/baseline.ts";

/** One check in report.json. */
export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level: Claim;
  readonly severity: "MUST" | "SHOULD";
  readonly status: CheckStatus | "not_run";
  readonly duration_ms: number;
  readonly requests: number;
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly counterexample?: string;
  readonly script?: string;
  readonly curl?: string;
  readonly exchanges?: readonly ReportedExchange[];
  readonly account?: readonly string[];
  readonly timeline?: readonly TimelineTrack[];
}

/** report.json; its JSON Schema is tools/report/report.schema.json. */
export interface Report {
  readonly schema: string;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly subject: Subject;
    readonly document_sha256: string;
  };
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly started_at: string;
    readonly duration_ms: number;
    readonly seed: number;
    readonly jobs: number;
    readonly requests: number;
    readonly complete: boolean;
    /** Whether a SHOULD counted like a MUST. */
    readonly strict: boolean;
    readonly faults: readonly string[];
  };
  readonly verdict: Grade["verdict"];
  readonly exit_code: number;
  readonly levels: Grade["levels"];
  readonly clauses: readonly {
    readonly id: string;
    readonly level: Clause["level"];
    readonly subject: Subject;
    readonly status: string;
    readonly checks: readonly string[];
  }[];
  readonly checks: readonly ReportedCheck[];
  /** What the run had made and undid at its end, by kind; not there where the target is thrown away. */
  readonly cleaned_up?: Tidied["cleaned_up"];
  /** What the run has made and what is still on the target. */
  readonly left_behind?: Tidied["left_behind"];
  /** How the run compares with the known failures, where a file of them was given. */
  readonly baseline?: BaselineFindings;
}

export const SCHEMA_ID = "https://courier-conform.invalid/schemas/report-1.json";

const DOCUMENT = new URL("../../openapi/courier-dispatch.yaml", import.meta.url);

export const documentDigest = (): string => createHash("sha256").update(readFileSync(DOCUMENT)).digest("hex");

/** What a rendering needs beside the report. */
export interface ReportContext {
  /** Every clause of the subject. */
  readonly clauses: readonly Clause[];
  /** Names of the specification's parts, by their keys, in its order. */
  readonly parts: Readonly<Record<string, string>>;
  /** The command that repeats the run, without its secrets. */
  readonly again: string;
}

export function reportedCheck(check: SuiteCheck, outcome: Outcome | undefined): ReportedCheck {
  const { id, title, clauses, level, severity } = check;
  return {
    id,
    title,
    clauses,
    level,
    severity,
    ...(outcome ?? { status: "not_run", duration_ms: 0, requests: 0 }),
  };
}
