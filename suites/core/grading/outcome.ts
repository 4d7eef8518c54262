import type { OperationId } from "../contract/document.ts";
import type { SetCoverage } from "../contract/set-coverage.ts";
import type { ReportedExchange } from "../exchange.ts";
import type { ExpectationKind } from "./failures/failure.ts";
import type { Relation } from "./failures/mismatch.ts";
import type { SkipReason } from "./skip-reasons.ts";

/**
 * The end of a check. `not_applicable`: it found nothing to examine, as declared. `blocked`: a check that it builds on
 * failed, so it gives no verdict. `inconsistent`: it failed in some runs and passed in others. `known_failure`: a
 * baseline expects the failure.
 */
export type CheckStatus =
  | "passed"
  | "failed"
  | "inconsistent"
  | "blocked"
  | "not_testable"
  | "not_applicable"
  | "not_claimed"
  | "errored"
  | "known_failure";

/**
 * The attempts of one webhook event beside their expected times: the first attempt of `expected` is the first of
 * `attempts`. Seconds count from the first attempt, on the clock that the target stamps attempts with.
 */
export interface TimelineTrack {
  /** The event and its endpoint. */
  readonly name: string;
  /** In the order of arrival; `at` is ISO 8601 UTC. */
  readonly attempts: readonly { readonly at: string; readonly after_s: number }[];
  /** Expected times of the attempts, with the tolerance that the check allows. */
  readonly expected: readonly {
    readonly earliest_s: number;
    readonly due_s: number;
    readonly latest_s: number;
  }[];
}

/** A received webhook in the form of reports: secrets redacted, bodies cut. */
export interface ReportedWebhook {
  /** The event's kind, its subject and its webhook-id. */
  readonly event: string;
  /** Number of the delivery attempt of its event at this endpoint, from 1. */
  readonly attempt: number;
  /** Expected time on the target's clock, in words that begin with an instant or with "at once". */
  readonly due?: string;
  /** Its webhook-timestamp as ISO 8601 UTC, on the target's clock. */
  readonly dated?: string;
  /** Arrival on the clock of the suite's machine; ISO 8601 UTC. */
  readonly came: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Absent if the suite knows of no subscription for the endpoint. */
  readonly signature?: {
    readonly fits: boolean;
    readonly signed_text: string;
    readonly expected: string;
    readonly received: string;
    /** The wrong recipe of the signature, if one of the usual ones fits: follows "it is". */
    readonly made?: string;
    readonly fix?: string;
  };
}

/** Results of a failed check's clauses, if it says which of them it examined. */
export interface ClauseFindings {
  readonly failed: readonly string[];
  /** Cases that were examined without a finding. */
  readonly held: readonly string[];
  /** Cases that weren't reached. */
  readonly not_reached: readonly string[];
}

/** Results of a failed check's cases, by name. */
export interface Cases {
  readonly failed: readonly string[];
  readonly held: readonly string[];
  readonly not_reached: readonly string[];
}

/** The end of one check, as it goes from the runner to the reports: plain data with secrets already redacted. */
export interface Outcome {
  readonly status: CheckStatus;
  readonly duration_ms: number;
  readonly requests: number;
  /** One line: the fault, or the missing prerequisite. */
  readonly message?: string;
  /** Confirmation of the result by further runs of the check, if that adds to the status. */
  readonly confirmation?: string;
  /** Inconsistent check: a run that passed, next to the reported failure. */
  readonly passing_run?: Pick<Outcome, "steps" | "exchanges">;
  /** Skipped check: the reason as data, if many checks share it. */
  readonly skip?: SkipReason;
  /** Errored check: the system's code of the limit that this machine reached, such as EMFILE. */
  readonly machine_error?: string;
  /** Blocked check: the failed check that it builds on. */
  readonly blocked_by?: string;
  /** Fault of the subject that may fail other checks too: one line, the same in all of them. */
  readonly fault?: string;
  /** The failed cases of a check with several, in words. */
  readonly at?: string;
  /** The same as names. */
  readonly cases?: Cases;
  /** The operation whose answer shows the fault, or that received no more requests. */
  readonly operation?: OperationId;
  /** Failed check: nothing is at that operation's path, and no request to it succeeded in the whole run. */
  readonly absent?: true;
  /** Failed check: it failed in a setup that many checks share. */
  readonly set_up?: true;
  /** Failed check with several clauses. Absent if the failure concerns all of them. */
  readonly clause_findings?: ClauseFindings;
  /** Failed check: the kind of the failed expectation; a value by default. */
  readonly kind?: ExpectationKind;
  /** The compared thing: a field, a count, an operation; or a whole statement if the relation is "not to happen". */
  readonly subject?: string;
  readonly relation?: Relation;
  /** The expected value, as far as the relation needs one. */
  readonly expected?: string;
  /** The observed value. */
  readonly actual?: string;
  /** The deliberate mistake of the request. */
  readonly violates?: string;
  readonly curl?: string;
  /** Input for repeating a property's failing case. */
  readonly counterexample?: string;
  readonly exchanges?: readonly ReportedExchange[];
  /** Steps of a failed check up to the failure: one line for each request and webhook in order, with repeats folded. */
  readonly steps?: readonly string[];
  /** All requests and answers of the check, packed, if the report includes them. */
  readonly wire?: string;
  /** The webhooks that a failure is about, the one in question last. */
  readonly webhooks?: readonly ReportedWebhook[];
  /** Coverage of each set that the check's clauses quantify over. Absent if there is none. */
  readonly coverage?: readonly SetCoverage[];
  /** The check's observations in lines, reported also on a pass. */
  readonly account?: readonly string[];
  /**
   * Times of the webhook attempts, received and expected, for checks of the retry schedule. Reported also on a pass.
   */
  readonly timeline?: readonly TimelineTrack[];
}

/** The outcome of a check that wasn't started because a check that it builds on failed. */
export const blockedBy = (id: string): Outcome => ({
  status: "blocked",
  duration_ms: 0,
  requests: 0,
  message: `blocked by ${id}`,
  blocked_by: id,
});
