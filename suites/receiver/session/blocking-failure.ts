import { CheckFailure } from "../../core/grading/failure.ts";
import type { Mismatch } from "../../core/grading/mismatch.ts";

/** What checks build on: that a genuine event is taken, and that one takes effect. */
export type Foundation = "answers" | "effects";

/** What other checks build on failed before it held once: they are blocked by the check that found it. */
export class BlockingFailure extends CheckFailure {
  readonly foundation: Foundation;

  constructor(foundation: Foundation, mismatch: Mismatch, fault?: string) {
    super(mismatch, { fault, endsCheck: true });
    this.foundation = foundation;
  }
}
