export interface Verification {
  readonly provider: string;
  readonly url: string;
  readonly file: string;
  /** The token that replaces the contract's example. */
  readonly token: string;
  /** The names of the states that the contract may request. */
  readonly states: readonly string[];
  /** The descriptions of the messages that the contract may request. */
  readonly events: readonly string[];
}
