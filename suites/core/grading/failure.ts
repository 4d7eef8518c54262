import type { OperationId } from "../contract/document.ts";
import type { Exchange } from "../exchange.ts";

/** The target did something that the specification doesn't allow. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly expected: unknown;
  readonly actual: unknown;
  /** The exchange that shows it; the check's last one where none is named. */
  readonly exchange: Exchange | undefined;

  constructor(message: string, detail: { expected?: unknown; actual?: unknown; exchange?: Exchange } = {}) {
    super(message);
    this.expected = detail.expected;
    this.actual = detail.actual;
    this.exchange = detail.exchange;
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

/** No answer came to a request that the target should have answered. */
export class NoResponse extends Error {
  override readonly name = "NoAnswer";
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`no answer to ${exchange.method} ${exchange.url}: ${exchange.failure}`);
    this.exchange = exchange;
  }
}

/** A request that ended the target, and did so again when it was sent alone. */
export class EndsTarget extends NoResponse {}
