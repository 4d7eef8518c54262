import type { OperationId } from "../contract/document.ts";
import type { SetCoverage } from "../contract/set-coverage.ts";
import type { Excerpt, ReportedExchange } from "../exchange.ts";
import type { ExpectationKind } from "./failures/failure.ts";
import type { Relation } from "./failures/mismatch.ts";
import type { SkipReason } from "./skip-reasons.ts";

/**
 * The status of a check. `not_applicable`: the check was skipped, as declared. `blocked`: a check that it depends on
 * failed. `inconsistent`: it failed in some runs and passed in others. `known_failure`: the baseline contains
 * the failure.
 */
export type CheckStatus =
  | "passed"
  | "failed"
  | "inconsistent"
  | "blocked"
  | "not_verified"
  | "not_applicable"
  | "not_claimed"
  | "errored"
  | "known_failure";

/**
 * The delivery attempts of an event with their expected times. Seconds count from the first attempt, by the
 * target's timestamps.
 */
export interface TimelineTrack {
  /** The event and its endpoint. */
  readonly name: string;
  /** In the order of arrival; `at` is ISO 8601 UTC. */
  readonly attempts: readonly { readonly at: string; readonly after_s: number }[];
  /** The expected times of the attempts, with the check's tolerance. */
  readonly expected: readonly {
    readonly earliest_s: number;
    readonly due_s: number;
    readonly latest_s: number;
  }[];
}

/** A received webhook for reports: redacted and cut. */
export interface ReportedWebhook {
  /** The event's type, its delivery and its webhook-id. */
  readonly event: string;
  /** Number of the delivery attempt of its event at this endpoint, from 1. */
  readonly attempt: number;
  /** The expected time on the target's clock: an instant, or "at once". */
  readonly due?: string;
  /** Its webhook-timestamp as ISO 8601 UTC, on the target's clock. */
  readonly dated?: string;
  /** Arrival on the clock of the suite's machine; ISO 8601 UTC. */
  readonly came: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The incorrect member of the body. Absent if it isn't known. */
  readonly blamed?: Excerpt;
  /** Absent if the suite knows no subscription for the endpoint. */
  readonly signature?: {
    readonly fits: boolean;
    readonly signed_text: string;
    readonly expected: string;
    readonly received: string;
    /** The known wrong recipe that explains the signature, worded to follow "it is". */
    readonly made?: string;
    readonly fix?: string;
  };
}

/** The results of a failed check's clauses. */
export interface ClauseFindings {
  readonly failed: readonly string[];
  /** Clauses that were tested and passed. */
  readonly held: readonly string[];
  /** Clauses that weren't tested. */
  readonly not_reached: readonly string[];
}

/** The results of a failed check's cases. */
export interface Cases {
  readonly failed: readonly string[];
  readonly held: readonly string[];
  readonly not_reached: readonly string[];
}

/** The result of a check for reports: plain data without secrets. */
export interface Outcome {
  readonly status: CheckStatus;
  readonly duration_ms: number;
  readonly requests: number;
  /** One line: the failure, or the missing prerequisite. */
  readonly message?: string;
  /** Details about confirming runs, if they add to the status. */
  readonly confirmation?: string;
  /** A passing run of an inconsistent check. */
  readonly passing_run?: Pick<Outcome, "steps" | "exchanges">;
  /** The reason for a skip as data, if many checks share it. */
  readonly skip?: SkipReason;
  /** The system's error code, such as EMFILE, if this machine ran out of a resource. */
  readonly machine_error?: string;
  /** The failed check that blocks this one. */
  readonly blocked_by?: string;
  /** A fault that may fail other checks too, with the same wording for all of them. */
  readonly fault?: string;
  /** The failed cases in words. */
  readonly at?: string;
  /** The names of the cases by result. */
  readonly cases?: Cases;
  /** The operation whose response shows the failure, or that isn't called any more. */
  readonly operation?: OperationId;
  /** True if the server doesn't serve the operation's path, and the operation never succeeded in the run. */
  readonly absent?: true;
  /** True if the check failed in a setup that many checks share. */
  readonly set_up?: true;
  /** True if the check failed in a step that only supports it, such as the test event after which it counts events. */
  readonly auxiliary?: true;
  /** The results of the check's clauses. Absent if the failure concerns all of them. */
  readonly clause_findings?: ClauseFindings;
  /** The kind of the failed expectation. Defaults to a value. */
  readonly kind?: ExpectationKind;
  /** What is compared: a field, a count, an operation. For the relation "not to happen", a sentence. */
  readonly subject?: string;
  /** The name that failures of the same thing share: `customer.phone`, `attempt`. */
  readonly field?: string;
  readonly relation?: Relation;
  /** The expected value, if the relation has one. */
  readonly expected?: string;
  readonly actual?: string;
  /** The rule that the request violates intentionally. */
  readonly violates?: string;
  /** Repeats the decisive exchange, the last of `exchanges`. Absent if no exchange shows the failure. */
  readonly curl?: string;
  /** The input that reproduces a property's failure. */
  readonly counterexample?: string;
  readonly exchanges?: readonly ReportedExchange[];
  /** The steps up to the failure, one line per request or webhook. Repetitions are merged. */
  readonly steps?: readonly string[];
  /** All exchanges of the check, if the report includes them. */
  readonly wire?: readonly ReportedExchange[];
  /** The webhooks of a failure, the decisive one last. */
  readonly webhooks?: readonly ReportedWebhook[];
  /** The coverage of each set that the check's clauses quantify over. Absent if there is none. */
  readonly coverage?: readonly SetCoverage[];
  /** The check's observations, one line each. They are reported on a pass too. */
  readonly account?: readonly string[];
  /** Expected and actual times of delivery attempts, also on a pass, for checks of the retry schedule. */
  readonly timeline?: readonly TimelineTrack[];
}

/** The outcome of a check that didn't run because a check that it depends on failed. */
export const blockedBy = (id: string): Outcome => ({
  status: "blocked",
  duration_ms: 0,
  requests: 0,
  message: `blocked by ${id}`,
  blocked_by: id,
});
