import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";

/** mulberry32, a small generator with 32 bits of state that gives the same numbers on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The names that determine the random values of one run of a check. The same names give the same values. */
export interface ValueSeeds {
  readonly texts: string;
  readonly ids: string;
}

/** The random values of one run of a check. */
class Draws {
  readonly random: () => number;
  readonly #ids: string;
  #uuids = 0;

  constructor({ texts, ids }: ValueSeeds) {
    this.#ids = ids;
    this.random = generator(createHash("sha256").update(texts).digest().readUInt32BE());
  }

  uuid(): string {
    this.#uuids += 1;
    const hex = createHash("sha256").update(`${this.#ids} ${this.#uuids}`).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

const present = new AsyncLocalStorage<Draws | undefined>();
let outsideChecks = generator(1);

/** Sets the seed of the random values outside checks. */
export function drawBy(seed: number): void {
  outsideChecks = generator(seed);
}

/** Does the work of one run of a check. The seeds determine the random values. */
export const drawing = <T>(seeds: ValueSeeds, work: () => Promise<T>): Promise<T> =>
  present.run(new Draws(seeds), work);

/** Does work whose result several checks share, without advancing the random sequence of the first check. */
export const drawingForAll = <T>(work: () => Promise<T>): Promise<T> => present.run(undefined, work);

/** A random number, at least 0 and below 1. */
export const random = (): number => (present.getStore()?.random ?? outsideChecks)();

/**
 * A UUID (version 4) that the target doesn't know from this integrator: seeded within a check, random
 * otherwise.
 */
export const drawnUuid = (): string => present.getStore()?.uuid() ?? randomUUID();
