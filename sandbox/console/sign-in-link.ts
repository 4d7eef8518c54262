/**
 * The link that signs in the person who started the sandbox. The link's key works once. The key is in the URL's
 * fragment, which browsers never send, so neither the server's log nor a linked page receives it.
 */
import type { Dependencies } from "../../reference-server/dependencies.ts";

export class SignInLink {
  readonly #controlToken: string;
  readonly #used: () => void;
  #keyHash: string | undefined;

  /** @param used called after each sign-in, so that the caller can create the next link */
  constructor(controlToken: string, used: () => void) {
    this.#controlToken = controlToken;
    this.#used = used;
  }

  /** Creates a link for a console's URL, and revokes earlier links. */
  at({ credentials, ids }: Dependencies, consoleUrl: string): string {
    const key = ids.token();
    this.#keyHash = credentials.hash(key);
    return `${consoleUrl}#key=${key}`;
  }

  /** The control token for the current link's key, once; undefined for any other key. */
  redeem({ credentials }: Dependencies, key: string): string | undefined {
    if (this.#keyHash === undefined || !credentials.matches(key, this.#keyHash)) return undefined;
    this.#keyHash = undefined;
    this.#used();
    return this.#controlToken;
  }
}
