import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";

interface ConnectionLostDetail {
  readonly fault?: string | undefined;
  /** True if the connection had been kept open: the request before it may have ended the receiver too. */
  readonly isStale?: boolean;
}

/** The connection was lost: by this request, or by another one at the same time. */
export class ConnectionLost extends CheckFailure {
  /** True if nothing else was under way: then this request was the cause. */
  readonly wasAlone: boolean;
  readonly isStale: boolean;

  constructor(what: Mismatch, wasAlone: boolean, { fault, isStale = false }: ConnectionLostDetail = {}) {
    super(what, { fault, endsCheck: true });
    this.wasAlone = wasAlone;
    this.isStale = isStale;
  }
}

/** The receiver went on, and closed the connection without an answer. */
export class ConnectionClosed extends ConnectionLost {}
