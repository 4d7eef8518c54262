import type { OperationId } from "../contract/document.ts";
import type { Exchange } from "../exchange.ts";

/**
 * What an expectation is about: a value in an answer or an event, when something happens, that something happens at all, or
 * a rate limit and its count. A disturbance of the run excuses only the kinds that it could have caused.
 */
export type ExpectationKind = "value" | "time" | "absence" | "limit";

interface CheckFailureDetail {
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly exchange?: Exchange | undefined;
  readonly fault?: string | undefined;
  readonly endsCheck?: boolean;
  readonly kind?: ExpectationKind;
}

/** The target did something that the specification doesn't allow. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly expected: unknown;
  readonly actual: unknown;
  /** The exchange that shows it; the check's last one where none is named. */
  readonly exchange: Exchange | undefined;
  /** What is wrong with the subject where other findings may come of it too, in a line that is the same in all of them. */
  readonly fault: string | undefined;
  /** Whether nothing more is asked after it, where a check goes through several. */
  readonly endsCheck: boolean;
  readonly kind: ExpectationKind;

  constructor(message: string, detail: CheckFailureDetail = {}) {
    super(message);
    this.expected = detail.expected;
    this.actual = detail.actual;
    this.exchange = detail.exchange;
    this.fault = detail.fault;
    this.endsCheck = detail.endsCheck ?? false;
    this.kind = detail.kind ?? "value";
  }
}

/** The target did so where something was set up that many checks build on: it is no finding of what they ask for. */
export class SetUpFailure extends CheckFailure {
  constructor(failure: CheckFailure) {
    super(`what many checks build on couldn't be set up: ${failure.message}`, failure);
  }
}

/** A prerequisite turned out to be missing: the check says nothing about the target. */
export class NotTestable extends Error {
  override readonly name = "NotTestable";
}

/** An operation left so many requests without an answer that it isn't asked any more. */
export class OperationGivenUp extends NotTestable {
  readonly operation: OperationId;

  constructor(operation: OperationId) {
    super(`${operation} gave no answer several times in a row, and isn't asked any more`);
    this.operation = operation;
  }
}

/** What a failure shows in the place of what came, where no answer did. */
export const NO_ANSWER = "no answer";

/** No answer came to a request that the target should have answered. */
export class NoResponse extends Error {
  override readonly name = "NoAnswer";
  readonly kind: ExpectationKind = "absence";
  readonly exchange: Exchange;

  constructor(
    exchange: Exchange,
    message = `${NO_ANSWER} to ${exchange.method} ${exchange.url}: ${exchange.failure}`,
  ) {
    super(message);
    this.exchange = exchange;
  }
}

/** A request that ended the target, before its answer or right after it, and did so again when it was sent alone. */
export class EndsTarget extends NoResponse {
  constructor(exchange: Exchange) {
    const { method, url, response } = exchange;
    super(
      exchange,
      response &&
        `the target answered ${method} ${url} with ${response.status} and stopped, and did so both times that this was sent again alone`,
    );
  }
}
