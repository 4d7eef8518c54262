import { NotTestable } from "../../core/grading/failure.ts";

/** Negative controls: requests that have to be refused, and the check that fails if they are accepted. */
const FAULTY_TWINS = {
  forged: { are: "forged events", judge: "signatures.other-keys" },
  old: { are: "events whose timestamp is a day old", judge: "freshness.old" },
  ahead: { are: "events whose timestamp is a day ahead", judge: "freshness.future" },
} as const;

export type FaultyTwin = keyof typeof FAULTY_TWINS;

/** A negative control was accepted, so the acceptance of genuine events shows nothing. */
export class FaultyTwinTaken extends NotTestable {
  /** The check that fails if the negative control is accepted. */
  readonly judge: string;

  constructor(twin: FaultyTwin) {
    const { are, judge } = FAULTY_TWINS[twin];
    super(
      `the receiver takes ${are} too, so that nothing is shown by its taking genuine ones: run --only ${judge}, which judges that`,
    );
    this.judge = judge;
  }
}
