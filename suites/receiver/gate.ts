/** Lets many work beside each other, or one alone. */
export class Gate {
  #beside = 0;
  #alone = false;
  readonly #waiting: (() => void)[] = [];

  /** Runs the work beside others. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    await this.#until(() => !this.#alone);
    this.#beside += 1;
    try {
      return await work();
    } finally {
      this.#beside -= 1;
      this.#wake();
    }
  }

  /** Runs the work while no other goes on. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.#until(() => !this.#alone);
    this.#alone = true;
    try {
      await this.#until(() => this.#beside === 0);
      return await work();
    } finally {
      this.#alone = false;
      this.#wake();
    }
  }

  async #until(free: () => boolean): Promise<void> {
    while (!free()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
