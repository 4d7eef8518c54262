/** Slots of the filter, a power of two: far more than there are beginnings, so that it skips nearly every position. */
const SLOTS = 2 ** 20;
/** A hash has 30 bits: with the longest beginning, each character still moves it by whole bits. */
const HASH_BITS = 30;

/**
 * Finds possible positions of many beginnings of the same length in a text, without cutting a piece of the text at each
 * position: a run searches megabytes for hundreds of secrets. It never misses one. A reported position may be a false
 * positive.
 */
export class BeginningsFilter {
  readonly #length: number;
  readonly #shift: number;
  readonly #mask: number;
  readonly #slots = new Uint8Array(SLOTS);

  /** @param length of all beginnings, in characters: from 1 to 30, a divisor of 30 */
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
  *placesIn(text: string): Generator<number> {
    let hash = 0;
    for (let index = 0; index < text.length; index += 1) {
      hash = this.#next(hash, text.charCodeAt(index));
      const from = index + 1 - this.#length;
      if (from >= 0 && this.#slots[slotOf(hash)] === 1) yield from;
    }
  }

  /** Adds a character and shifts out the one that is a beginning's length before it. */
  #next(hash: number, code: number): number {
    return ((hash << this.#shift) ^ code) & this.#mask;
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 13)) & (SLOTS - 1);
