/** A number of slots. A caller takes all its slots at once, so that no caller waits while it holds some. */
export class Slots {
  #free: number;
  readonly #waiting: { readonly count: number; readonly enter: () => void }[] = [];

  /** @param most the number of slots, at least the number that one caller takes */
  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves once the caller has its slots. Callers get slots in the order of their calls. */
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
