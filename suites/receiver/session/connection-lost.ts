import { CheckFailure } from "../../core/grading/failure.ts";

/** The connection was lost: by this request, or by another one at the same time. */
export class ConnectionLost extends CheckFailure {
  /** Whether nothing else was under way: then it was this request, and no other. */
  readonly wasAlone: boolean;

  constructor(
    message: string,
    wasAlone: boolean,
    actual: string,
    {
      expected = "an answer, and a receiver that goes on",
      fault,
    }: { expected?: string; fault?: string | undefined } = {},
  ) {
    super(message, { expected, actual, fault, endsCheck: true });
    this.wasAlone = wasAlone;
  }
}

/** The receiver went on, and closed the connection without an answer. */
export class ConnectionClosed extends ConnectionLost {}
