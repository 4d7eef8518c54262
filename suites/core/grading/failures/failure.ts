import type { OperationId } from "../../contract/document.ts";
import type { Exchange } from "../../exchange.ts";
import { reasonText, type SkipReason } from "../skip-reasons.ts";
import { happened, type Mismatch, mismatchText } from "./mismatch.ts";

/**
 * The subject of an expectation: a value in an answer or an event, the time of an event, the occurrence of an event, or
 * a rate limit and its count. A disturbance excuses only the kinds that it could have caused.
 */
export type ExpectationKind = "value" | "time" | "absence" | "limit";

interface CheckFailureDetail {
  readonly exchange?: Exchange | undefined;
  readonly exchanges?: readonly Exchange[];
  readonly fault?: string | undefined;
  readonly endsCheck?: boolean;
  readonly kind?: ExpectationKind;
}

/** The target did something that the specification doesn't allow. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly mismatch: Mismatch;
  /** The exchange that shows it; the check's last one by default. */
  readonly exchange: Exchange | undefined;
  /** All exchanges that show it, if it takes several. */
  readonly exchanges: readonly Exchange[];
  /** A fault of the subject that other findings may come from too, in a line that is the same in all of them. */
  readonly fault: string | undefined;
  /** True if the check sends nothing more after it. */
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

/** The target broke a rule in a setup that many checks share: none of them tests it. */
export class SetUpFailure extends CheckFailure {
  constructor(failure: CheckFailure) {
    super(failure.mismatch, failure);
  }
}

/** A prerequisite turned out to be missing: the check says nothing about the target. */
export class NotTestable extends Error {
  override readonly name = "NotTestable";
  /** The reason as data, if many checks share it. */
  readonly reason: SkipReason | undefined;

  constructor(reason: string | SkipReason) {
    super(typeof reason === "string" ? reason : reasonText(reason));
    this.reason = typeof reason === "string" ? undefined : reason;
  }
}

/** An operation left so many requests without an answer that no more are sent. */
export class OperationGivenUp extends NotTestable {
  readonly operation: OperationId;

  constructor(operation: OperationId) {
    super(`${operation} gave no answer several times in a row, and isn't asked any more`);
    this.operation = operation;
  }
}

/** The observed value of a failure without an answer. */
export const NO_ANSWER = "no answer";

/** No answer came to a request that the target should have answered. */
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

const unanswered = ({ method, url, failure }: Exchange): Mismatch => ({
  subject: `an answer to ${method} ${url}`,
  relation: "to arrive",
  note: failure,
});

/** The target stopped answering at a request: before its answer, or right after it. */
export class EndsTarget extends NoResponse {
  constructor(exchange: Exchange) {
    const { method, url, response } = exchange;
    super(
      exchange,
      response
        ? happened(`the target answered ${method} ${url} with ${response.status} and stopped`)
        : { ...unanswered(exchange), note: "the target stopped answering" },
    );
  }
}
