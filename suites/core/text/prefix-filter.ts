/**
 * The size of the filter, a power of two. It is much larger than the number of prefixes, so that few other
 * positions match.
 */
const SLOTS = 2 ** 20;
/** The bits of a hash. Each character of the longest prefix shifts it by at least one bit. */
const HASH_BITS = 30;

/**
 * Finds positions in a text where one of many prefixes may start, without creating a substring per position,
 * because a run searches megabytes for hundreds of secrets. It never misses a prefix, but may report false
 * positives.
 */
export class PrefixFilter {
  readonly #length: number;
  readonly #shift: number;
  readonly #mask: number;
  readonly #slots = new Uint8Array(SLOTS);

  /** @param length the length of all prefixes: from 1 to 30, a divisor of 30 */
  constructor(length: number) {
    this.#length = length;
    this.#shift = HASH_BITS / length;
    this.#mask = 2 ** HASH_BITS - 1;
  }

  add(beginning: string): void {
    let hash = 0;
    for (const character of beginning.split("")) hash = this.#next(hash, character.charCodeAt(0));
    this.#slots[slotOf(hash)] = 1;
  }

  /** Indices in the text, rising. */
  *positionsIn(text: string): Generator<number> {
    let hash = 0;
    for (let index = 0; index < text.length; index += 1) {
      hash = this.#next(hash, text.charCodeAt(index));
      const from = index + 1 - this.#length;
      if (from >= 0 && this.#slots[slotOf(hash)] === 1) yield from;
    }
  }

  /** Adds a character, and removes the first one of the window. */
  #next(hash: number, code: number): number {
    return ((hash << this.#shift) ^ code) & this.#mask;
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 13)) & (SLOTS - 1);
