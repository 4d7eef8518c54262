import type { ReportedExchange } from "./target/exchange.ts";

/** How a check can end. `known_failure` is a failure that a baseline expects. */
export type CheckStatus = "passed" | "failed" | "not_testable" | "not_claimed" | "errored" | "known_failure";

/** How one check ended, as it goes from the runner to the reports: plain data, secrets already redacted. */
export interface Outcome {
  readonly status: CheckStatus;
  readonly duration_ms: number;
  readonly requests: number;
  /** One line: what went wrong, or what is missing. */
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly curl?: string;
  /** What a reader needs to repeat a property's failing case. */
  readonly counterexample?: string;
  readonly exchanges?: readonly ReportedExchange[];
  /** What the check saw, in lines: also told when it passes. */
  readonly account?: readonly string[];
}
