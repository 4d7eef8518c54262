import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The pending requests of one check. If one of several concurrent requests fails the check, the others stay
 * pending. Their results must be known before the cleanup, and before other checks use the integrator.
 */
export class PendingRequests {
  readonly #sent = new Set<Promise<unknown>>();
  #isOver = false;

  /** Sends a request. After the check's end, nothing is sent, and the promise never settles. */
  async follow<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isOver) return new Promise(() => {});
    const sent = send();
    this.#sent.add(sent);
    try {
      return await sent;
    } finally {
      this.#sent.delete(sent);
    }
  }

  /** Ends the check's requests: waits until pending requests have ended and are recorded. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#sent);
    await nextTurn();
  }
}
