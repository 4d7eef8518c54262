/** A number of slots. A caller takes all of its slots at once, so that none waits while holding some. */
export class Slots {
  #free: number;
  readonly #waiting: { readonly count: number; readonly enter: () => void }[] = [];

  /** @param most the number of slots: at least as many as a caller takes */
  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves once they are taken, in order of the calls. */
  async take(count: number): Promise<void> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ count, enter });
      this.#admit();
    });
  }

  giveBack(count: number): void {
    this.#free += count;
    this.#admit();
  }

  #admit(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.count <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.enter();
    }
  }
}
