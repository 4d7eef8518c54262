/** Chance that comes out the same for the same seed. */
import { createHash } from "node:crypto";

/** The next number of a series, from 0 up to but not including 1. */
export type Random = () => number;

/** A series that is the same for the same words (the generator is mulberry32, whose state is 32 bits). */
export function randomFrom(...words: readonly (string | number)[]): Random {
  let state = createHash("sha256").update(JSON.stringify(words)).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}

export function oneOf<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
