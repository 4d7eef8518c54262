import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";

/** Prerequisites: a genuine event is accepted, and a genuine event takes effect. */
export type Foundation = "responses" | "effects";

/** A prerequisite never held. The check that found this blocks all checks that depend on it. */
export class BlockingFailure extends CheckFailure {
  readonly foundation: Foundation;

  constructor(foundation: Foundation, mismatch: Mismatch, fault?: string) {
    super(mismatch, { fault, endsCheck: true });
    this.foundation = foundation;
  }
}
