import { CheckSkipped } from "../../core/grading/failures/failure.ts";

/**
 * Requests that the receiver must refuse, each with the id of the check that fails if the receiver accepts it.
 */
const NEGATIVE_CONTROLS = {
  forged: { are: "forged events", judge: "signatures.other-keys" },
  old: { are: "events whose timestamp is a day old", judge: "freshness.old" },
  ahead: { are: "events whose timestamp is a day ahead", judge: "freshness.future" },
} as const;

export type NegativeControl = keyof typeof NEGATIVE_CONTROLS;

/** The receiver accepted a request that it must refuse, so an accepted genuine event proves nothing. */
export class NegativeControlAccepted extends CheckSkipped {
  /** The id of the check that fails if the negative control is accepted. */
  readonly judge: string;

  constructor(control: NegativeControl) {
    const { are, judge } = NEGATIVE_CONTROLS[control];
    super(
      `the receiver accepts ${are} too, so accepting genuine ones proves nothing: fix ${judge} first (--only ${judge})`,
    );
    this.judge = judge;
  }
}
