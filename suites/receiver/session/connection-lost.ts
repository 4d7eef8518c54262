import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";

interface ConnectionLostDetail {
  readonly fault?: string | undefined;
  /** True for a reused connection, which the previous request may have broken. */
  readonly isStale?: boolean;
}

/** The connection broke because of this request or because of a concurrent request. */
export class ConnectionLost extends CheckFailure {
  /** True if no other request was pending: this request is the cause. */
  readonly wasAlone: boolean;
  readonly isStale: boolean;

  constructor(what: Mismatch, wasAlone: boolean, { fault, isStale = false }: ConnectionLostDetail = {}) {
    super(what, { fault, endsCheck: true });
    this.wasAlone = wasAlone;
    this.isStale = isStale;
  }
}

/** The receiver closed the connection without a response, and is still running. */
export class ConnectionClosed extends ConnectionLost {}
