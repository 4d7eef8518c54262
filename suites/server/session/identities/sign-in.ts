/** Limit of refused token requests of any integrators before the first success. */
const MAX_REFUSALS = 6;

/**
 * Detects that a target issues no tokens. After several refusals to different integrators no more are requested:
 * further requests would only use up the limit of new tokens, and each check would wait to be refused.
 */
export class SignInCircuitBreaker {
  #given = false;
  #refusals = 0;
  #last: unknown;

  /** @throws the last attempt's error, once enough attempts have failed */
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
