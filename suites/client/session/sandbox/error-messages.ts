/** Messages of errors. A client must not depend on them. */
export interface ErrorMessages {
  readonly fault: string;
  readonly refusal: string;
  readonly busy: string;
  readonly token: string;
  readonly cursor: string;
  /** For a transient failure: a message that describes it as final. */
  readonly final: string;
  /** For a final refusal: a message that describes it as transient. */
  readonly passing: string;
}
