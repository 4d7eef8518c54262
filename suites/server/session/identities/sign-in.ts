/** Of as many requests for tokens, of whatever identities, one has to succeed. */
const MAX_REFUSALS = 6;

/**
 * Whether a target gives tokens at all. Where none of several identities has got one, no more are asked for: it would
 * only use up the limit of new tokens, and each check would wait for its turn to be refused.
 */
export class SignInCircuitBreaker {
  #given = false;
  #refusals = 0;
  #last: unknown;

  /** @throws what the last attempt has thrown, once there were enough in vain */
  async run<T>(obtain: () => Promise<T>): Promise<T> {
    if (!this.#given && this.#refusals >= MAX_REFUSALS) throw this.#last;
    try {
      const token = await obtain();
      this.#given = true;
      return token;
    } catch (error) {
      this.#refusals += 1;
      this.#last = error;
      throw error;
    }
  }
}
