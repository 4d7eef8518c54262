import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";

/** Foundations of checks: a genuine event is accepted, and a genuine event takes effect. */
export type Foundation = "answers" | "effects";

/** A foundation failed before it ever held. This check blocks all checks that build on it. */
export class BlockingFailure extends CheckFailure {
  readonly foundation: Foundation;

  constructor(foundation: Foundation, mismatch: Mismatch, fault?: string) {
    super(mismatch, { fault, endsCheck: true });
    this.foundation = foundation;
  }
}
