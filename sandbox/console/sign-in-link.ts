/**
 * The link that signs in whoever started a sandbox. Its key works once, and stands behind the `#`, which no browser sends
 * anywhere: neither the server's log nor a page that is linked to learns of it.
 */
import type { Parts } from "../../reference-server/parts.ts";

export class SignInLink {
  readonly #controlToken: string;
  readonly #used: () => void;
  #keyHash: string | undefined;

  /** `used` is told whenever somebody has signed in by it: it is time for the next link. */
  constructor(controlToken: string, used: () => void) {
    this.#controlToken = controlToken;
    this.#used = used;
  }

  /** The link for a console's address; earlier ones work no longer. */
  at({ credentials, ids }: Parts, consoleUrl: string): string {
    const key = ids.token();
    this.#keyHash = credentials.hash(key);
    return `${consoleUrl}#key=${key}`;
  }

  /** The control token, once; undefined for any other key. */
  redeem({ credentials }: Parts, key: string): string | undefined {
    if (this.#keyHash === undefined || !credentials.matches(key, this.#keyHash)) return undefined;
    this.#keyHash = undefined;
    this.#used();
    return this.#controlToken;
  }
}
