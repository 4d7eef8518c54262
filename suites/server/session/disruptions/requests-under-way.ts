import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The requests of one check that have no answer yet. A check that fails at one of several that it sent at once leaves the
 * others under way: what they make is to be known before it is cleaned up, and before others come to the same integrator.
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

  /** The check is over: waits for what is under way, and for what is noted of its answers. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#sent);
    await nextTurn();
  }
}
