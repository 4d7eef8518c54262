import { createHash } from "node:crypto";

/** Returns the next number, from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Random numbers by the algorithm mulberry32, seeded with these words. */
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
