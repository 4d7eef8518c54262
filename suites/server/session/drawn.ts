import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";

/** A generator of 32 bits (mulberry32): small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Values that one run of a check draws: the same value for the same name. */
class Draws {
  readonly random: () => number;
  readonly #name: string;
  #uuids = 0;

  constructor(name: string) {
    this.#name = name;
    this.random = generator(createHash("sha256").update(name).digest().readUInt32BE());
  }

  uuid(): string {
    this.#uuids += 1;
    const hex = createHash("sha256").update(`${this.#name} ${this.#uuids}`).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

const present = new AsyncLocalStorage<Draws | undefined>();
let ofRun = generator(1);

/** From now on what is drawn outside the runs of checks follows from this seed and from the order. */
export function drawBy(seed: number): void {
  ofRun = generator(seed);
}

/** Does the work of one run of a check: what it draws follows from the name. */
export const drawing = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  present.run(new Draws(name), work);

/** Does what several checks share: the one that comes to it first draws nothing for it. */
export const drawingForAll = <T>(work: () => Promise<T>): Promise<T> => present.run(undefined, work);

/** From 0 to below 1. */
export const random = (): number => (present.getStore()?.random ?? ofRun)();

/** A UUID (version 4) that the target hasn't seen of this integrator; drawn in the run of a check, and else by chance. */
export const drawnUuid = (): string => present.getStore()?.uuid() ?? randomUUID();
