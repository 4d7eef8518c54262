import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";

/** What checks depend on: that the receiver accepts a genuine event, and that a genuine event takes effect. */
export type Foundation = "responses" | "effects";

/** A prerequisite has never held. The check that found this blocks all checks with the same prerequisite. */
export class BlockingFailure extends CheckFailure {
  readonly foundation: Foundation;

  constructor(foundation: Foundation, mismatch: Mismatch, fault?: string) {
    super(mismatch, { fault, endsCheck: true });
    this.foundation = foundation;
  }
}
