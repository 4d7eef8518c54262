import type { OperationId } from "../contract/document.ts";
import type { SetCoverage } from "../contract/set-coverage.ts";
import type { ReportedExchange } from "../exchange.ts";
import type { ExpectationKind } from "./failure.ts";
import type { Relation } from "./mismatch.ts";
import type { SkipReason } from "./skip-reasons.ts";

/**
 * How a check can end. `not_applicable` is one that found nothing to look at, as was declared. `blocked` says nothing of what it asks for: what it builds on failed, in another check.
 * `inconsistent`
 * is one that failed in some runs and passed in others. `known_failure` is a failure that a baseline expects.
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
 * The attempts of one webhook event, beside when each was to come: the first attempt of `expected` is the first of
 * `attempts`. Seconds count from the first attempt, on the clock that the target stamps attempts with.
 */
export interface TimelineTrack {
  /** Which event it is, and to which address. */
  readonly name: string;
  /** As they came, in the order of arrival; `at` is ISO 8601 UTC. */
  readonly attempts: readonly { readonly at: string; readonly after_s: number }[];
  /** When each was due, with the tolerance that the check allows. */
  readonly expected: readonly {
    readonly earliest_s: number;
    readonly due_s: number;
    readonly latest_s: number;
  }[];
}

/** A webhook as it came to the suite's receiver, as reports show it: secrets redacted, bodies cut. */
export interface ReportedWebhook {
  /** Its kind, what it is about and its webhook-id. */
  readonly event: string;
  /** Which attempt of its event at this address, counted from 1. */
  readonly attempt: number;
  /** When it was due, on the target's clock, in words that begin with an instant or with "at once". */
  readonly due?: string;
  /** Its webhook-timestamp as ISO 8601 UTC, on the target's clock. */
  readonly dated?: string;
  /** When it came, on the clock of the suite's machine; ISO 8601 UTC. */
  readonly came: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Not there where the address was subscribed by nobody that the suite knows of. */
  readonly signature?: {
    readonly fits: boolean;
    readonly signed_text: string;
    readonly expected: string;
    readonly received: string;
    /** The wrong recipe by which it was made, where one of the usual ones fits: follows "it is". */
    readonly made?: string;
    readonly fix?: string;
  };
}

/** How the clauses of a failed check came out, where it says which of them it was at. */
export interface ClauseFindings {
  readonly failed: readonly string[];
  /** Looked at before, and nothing found. */
  readonly held: readonly string[];
  /** Not come to any more. */
  readonly not_reached: readonly string[];
}

/** How several cases of a check that failed came out, each by its name. */
export interface Cases {
  readonly failed: readonly string[];
  readonly held: readonly string[];
  readonly not_reached: readonly string[];
}

/** How one check ended, as it goes from the runner to the reports: plain data, secrets already redacted. */
export interface Outcome {
  readonly status: CheckStatus;
  readonly duration_ms: number;
  readonly requests: number;
  /** One line: what went wrong, or what is missing. */
  readonly message?: string;
  /** Whether and how the result was confirmed by further runs of the check, where that says more than the status. */
  readonly confirmation?: string;
  /** Of an inconsistent check: a run that passed, beside the failure that is told. */
  readonly passing_run?: Pick<Outcome, "steps" | "exchanges">;
  /** Of a check that was skipped for a reason that many share: the reason as data. */
  readonly skip?: SkipReason;
  /** Of an errored check: the system's code of the limit that this machine reached, such as EMFILE. */
  readonly machine_error?: string;
  /** Of a blocked check: the one that failed in what it builds on. */
  readonly blocked_by?: string;
  /** What is wrong with the subject, where other checks may fail by the same: one line, the same in all of them. */
  readonly fault?: string;
  /** At which of several that it goes through the check failed, in words. */
  readonly at?: string;
  /** The same as names. */
  readonly cases?: Cases;
  /** The operation whose answer shows what went wrong, or that wasn't asked any more. */
  readonly operation?: OperationId;
  /** Of a failed check: nothing is at that operation's address, and no request to it succeeded in the whole run. */
  readonly absent?: true;
  /** Of a failed check: it failed where something was set up that many checks build on. */
  readonly set_up?: true;
  /** Of a failed check of several clauses; not there where the failure speaks of all of them. */
  readonly clause_findings?: ClauseFindings;
  /** Of a failed check: the kind of expectation that failed; a value by default. */
  readonly kind?: ExpectationKind;
  /** What was compared: a field, a count, an operation; or a whole statement where the relation is "not to happen". */
  readonly subject?: string;
  readonly relation?: Relation;
  /** The expected value, as far as the relation needs one. */
  readonly expected?: string;
  /** The observed value. */
  readonly actual?: string;
  /** What was wrong with the request on purpose. */
  readonly violates?: string;
  readonly curl?: string;
  /** What a reader needs to repeat a property's failing case. */
  readonly counterexample?: string;
  readonly exchanges?: readonly ReportedExchange[];
  /** What a failed check did until then, a line for each request and each webhook, in their order; repeats are folded. */
  readonly steps?: readonly string[];
  /** All that the check sent and got, packed, where a report is to have it. */
  readonly wire?: string;
  /** The webhooks that a failure is about, the one in question last. */
  readonly webhooks?: readonly ReportedWebhook[];
  /** How much it has come to of each set that its clauses speak of; not there where they speak of none. */
  readonly coverage?: readonly SetCoverage[];
  /** What the check saw, in lines: also told when it passes. */
  readonly account?: readonly string[];
  /** When webhook attempts came and were due, for checks of the retry schedule: also told when it passes. */
  readonly timeline?: readonly TimelineTrack[];
}

/** The outcome of a check that was not begun, because what it builds on failed in another one. */
export const blockedBy = (id: string): Outcome => ({
  status: "blocked",
  duration_ms: 0,
  requests: 0,
  message: `blocked by ${id}`,
  blocked_by: id,
});
