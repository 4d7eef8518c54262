import { isObject } from "../../core/json.ts";

/** What the process that runs the library's verifier is told to do. */
export interface Verification {
  readonly provider: string;
  readonly url: string;
  /** The pact file's path. */
  readonly file: string;
  /** Instead of the token that the contract has for an example. */
  readonly token: string;
  /** Names of the states that it may ask for. */
  readonly states: readonly string[];
  /** Descriptions of the messages that it may ask for. */
  readonly events: readonly string[];
}

export const isVerification = (message: unknown): message is Verification =>
  isObject(message) && typeof message.provider === "string" && Array.isArray(message.states);
