/** Messages in errors, on which clients must not depend. */
export interface ErrorMessages {
  readonly fault: string;
  readonly refusal: string;
  readonly busy: string;
  readonly token: string;
  readonly cursor: string;
  /** A message that describes a transient failure as final. */
  readonly final: string;
  /** A message that describes a final refusal as transient. */
  readonly passing: string;
}
