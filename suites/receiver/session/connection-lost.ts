import { CheckFailure } from "../../core/grading/failure.ts";
import type { Mismatch } from "../../core/grading/mismatch.ts";

/** The connection was lost: by this request, or by another one at the same time. */
export class ConnectionLost extends CheckFailure {
  /** True if nothing else was under way: then this request was the cause. */
  readonly wasAlone: boolean;

  /** @param what a text is a statement of the observation */
  constructor(what: Mismatch | string, wasAlone: boolean, fault?: string) {
    super(what, { fault, endsCheck: true });
    this.wasAlone = wasAlone;
  }
}

/** The receiver went on, and closed the connection without an answer. */
export class ConnectionClosed extends ConnectionLost {}
