/** Lets many work beside each other, or one alone. */
export class Gate {
  #beside = 0;
  #alone = false;
  readonly #waiting: (() => void)[] = [];

  /** Runs the work beside others. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    await this.#until(() => {
      if (this.#alone) return false;
      this.#beside += 1;
      return true;
    });
    try {
      return await work();
    } finally {
      this.#beside -= 1;
      this.#wake();
    }
  }

  /** Runs the work while no other goes on. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.#until(() => {
      if (this.#alone) return false;
      this.#alone = true;
      return true;
    });
    try {
      await this.#until(() => this.#beside === 0);
      return await work();
    } finally {
      this.#alone = false;
      this.#wake();
    }
  }

  /** Tries to enter until it works: looking and entering are one step, so that no two enter at once. */
  async #until(enters: () => boolean): Promise<void> {
    while (!enters()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
