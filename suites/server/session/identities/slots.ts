/** A number of slots. Several are taken at once or not at all: no holder waits for another slot. */
export class Slots {
  #free: number;
  readonly #waiting: { readonly count: number; readonly enter: () => void }[] = [];

  /** @param most number of slots: at least as many as are ever taken at once */
  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves once they are taken, in the order of the calls. */
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
