/** After this many refusals to all integrators together without a success, no more tokens are requested. */
const MAX_REFUSALS = 6;

/**
 * Stops requesting tokens after several refusals to different integrators. Further requests would use up the
 * limit and make each check wait.
 */
export class SignInCircuitBreaker {
  #given = false;
  #refusals = 0;
  #last: unknown;

  /** @throws the error of the last attempt, once enough attempts have failed */
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
