import { CheckFailure, type ExpectationKind } from "../../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../../core/grading/failures/mismatch.ts";
import type { Attempt } from "./attempt.ts";

interface WebhookFailureDetail {
  readonly fault?: string;
  readonly kind?: ExpectationKind;
  /** The faulty attempts; empty if nothing arrived. The decisive attempt is last. */
  readonly attempts: readonly Attempt[];
  /** For a missing event: returns true if the event is among the attempts at another endpoint. */
  readonly isAmong?: (attempts: readonly Attempt[]) => boolean;
  /** True if the last attempt's signature is the fault. */
  readonly isOfSignature?: boolean;
}

/** A faulty or missing webhook. */
export class WebhookFailure extends CheckFailure {
  readonly attempts: readonly Attempt[];
  readonly isOfSignature: boolean;
  readonly isAmong: ((attempts: readonly Attempt[]) => boolean) | undefined;

  constructor(
    mismatch: Mismatch,
    { attempts, isOfSignature = false, isAmong, ...detail }: WebhookFailureDetail,
  ) {
    super(mismatch, detail);
    this.isAmong = isAmong;
    this.attempts = attempts;
    this.isOfSignature = isOfSignature;
  }

  /** A copy of the failure with a reason; the failure itself without one. */
  because(reason: string | undefined): WebhookFailure {
    if (reason === undefined) return this;
    const { note } = this.mismatch;
    return this.#with({ note: note === undefined ? reason : `${note}; ${reason}` });
  }

  /** A copy of the failure with another expected value. */
  expecting(expected: unknown): WebhookFailure {
    return this.#with({ expected });
  }

  #with(changed: Partial<Mismatch>): WebhookFailure {
    const { attempts, isOfSignature, isAmong, fault, kind, mismatch } = this;
    return new WebhookFailure(
      { ...mismatch, ...changed },
      {
        attempts,
        isOfSignature,
        kind,
        ...(fault !== undefined && { fault }),
        ...(isAmong && { isAmong }),
      },
    );
  }
}
