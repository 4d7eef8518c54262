import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The requests of one check that have no answer yet. A check that fails at one of several concurrent requests leaves
 * the others under way. Their resources have to be known before the cleanup, and before other checks use the same
 * integrator.
 */
export class RequestsUnderWay {
  readonly #sent = new Set<Promise<unknown>>();
  #isOver = false;

  /** Sends a request. A request after the check's end isn't sent, and its promise never settles. */
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

  /** Ends the check's requests: waits for those under way, and for the records of their answers. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#sent);
    await nextTurn();
  }
}
