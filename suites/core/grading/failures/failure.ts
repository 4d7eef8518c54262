import type { OperationId } from "../../contract/document.ts";
import type { Exchange } from "../../exchange.ts";
import { described } from "../../text/shown-value.ts";
import { reasonText, type SkipReason } from "../skip-reasons.ts";
import { forbiddenObservation, type Mismatch, mismatchText } from "./mismatch.ts";

/**
 * The subject of an expectation: a value, the time of an event, whether an event occurs, or a rate limit.
 * Each kind of disturbance excuses failures at only some subjects.
 */
export type ExpectationKind = "value" | "time" | "absence" | "limit";

interface CheckFailureDetail {
  readonly exchange?: Exchange | undefined;
  readonly exchanges?: readonly Exchange[];
  readonly fault?: string | undefined;
  readonly endsCheck?: boolean;
  readonly kind?: ExpectationKind;
}

/** The target violated the specification. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly mismatch: Mismatch;
  /** The exchange that shows the violation. Defaults to the last of `exchanges`. */
  readonly exchange: Exchange | undefined;
  /** The exchanges that together show the violation. */
  readonly exchanges: readonly Exchange[];
  /** The fault of the target, with the same wording for all findings of this fault. */
  readonly fault: string | undefined;
  /** True if the check sends no further requests. */
  readonly endsCheck: boolean;
  readonly kind: ExpectationKind;

  constructor(mismatch: Mismatch, detail: CheckFailureDetail = {}) {
    super(mismatchText(mismatch));
    this.mismatch = mismatch;
    this.exchanges = detail.exchanges ?? [];
    this.exchange = detail.exchange ?? this.exchanges.at(-1);
    this.fault = detail.fault;
    this.endsCheck = detail.endsCheck ?? false;
    this.kind = detail.kind ?? "value";
  }
}

/** The target violated a rule in a setup that many checks share and none of them tests. */
export class SetUpFailure extends CheckFailure {
  constructor(failure: CheckFailure) {
    super(failure.mismatch, failure);
  }
}

/** A prerequisite is missing, so the check has no result. */
export class CheckSkipped extends Error {
  override readonly name = "CheckSkipped";
  /** The reason as data, if many checks share it. */
  readonly reason: SkipReason | undefined;

  constructor(reason: string | SkipReason) {
    super(typeof reason === "string" ? reason : reasonText(reason));
    this.reason = typeof reason === "string" ? undefined : reason;
  }
}

/** Too many requests to an operation got no response, so it isn't called any more. */
export class OperationGivenUp extends CheckSkipped {
  readonly operation: OperationId;

  constructor(operation: OperationId) {
    super(`${operation} gave no readable response several times in a row, and isn't called any more`);
    this.operation = operation;
  }
}

export const NO_ANSWER = "no response";
export const UNREADABLE = "a response that the suite can't read";

/** A request that the target should have answered got no response. */
export class NoResponse extends Error {
  override readonly name = "NoAnswer";
  readonly kind: ExpectationKind = "absence";
  readonly exchange: Exchange;
  readonly mismatch: Mismatch;

  constructor(exchange: Exchange, mismatch = unanswered(exchange)) {
    super(mismatchText(mismatch));
    this.exchange = exchange;
    this.mismatch = mismatch;
  }
}

const unanswered = ({ method, url, failure, isUnreadable }: Exchange): Mismatch => ({
  subject: `a${isUnreadable ? " readable" : ""} response to ${method} ${url}`,
  relation: "to arrive",
  ...(isUnreadable && { actual: described(UNREADABLE) }),
  note: failure,
});

/** The target stopped responding at a request: before or right after its response. */
export class EndsTarget extends NoResponse {
  constructor(exchange: Exchange) {
    const { method, url, response } = exchange;
    super(
      exchange,
      response
        ? forbiddenObservation(`the target responded to ${method} ${url} with ${response.status} and stopped`)
        : { ...unanswered(exchange), note: "the target stopped responding" },
    );
  }
}
