import { expect } from "vitest";
import { isoInstant } from "../../core/clock.ts";
import { textOf } from "../../core/json.ts";

const msOf = (shown: unknown): number => Date.parse(textOf(shown));

/** What is due at the edge of a time that may be any. */
const bounded = (ms: number, way: "earlier" | "later"): string =>
  Number.isFinite(ms) ? `${isoInstant(ms)} or ${way}` : "an instant";

/** The instant that an answer shows, in milliseconds since 1970; asserts that it is one. */
export function instantIn(shown: unknown, what: string): number {
  const ms = msOf(shown);
  expect(Number.isNaN(ms) ? (shown ?? null) : "an instant", what).toBe("an instant");
  return ms;
}

/**
 * Asserts that an instant isn't before another, and tells both as people read them.
 * @param earliest milliseconds since 1970
 */
export function expectNoEarlier(shown: unknown, earliest: number, what: string): void {
  const due = bounded(earliest, "later");
  expect(msOf(shown) >= earliest ? due : (shown ?? null), what).toBe(due);
}

/**
 * Asserts that an instant isn't after another.
 * @param latest milliseconds since 1970
 */
export function expectNoLater(shown: unknown, latest: number, what: string): void {
  const due = bounded(latest, "earlier");
  expect(msOf(shown) <= latest ? due : (shown ?? null), what).toBe(due);
}

/** Asserts that an instant is another one, to so many milliseconds. */
export function expectSameInstant(shown: unknown, due: unknown, toleranceMs: number, what: string): void {
  const isSame = Math.abs(msOf(shown) - msOf(due)) <= toleranceMs;
  expect(isSame ? due : (shown ?? null), what).toBe(due);
}

/** The number that an answer shows, as a number or as text; asserts that it is one. */
export function numberIn(shown: unknown, what: string): number {
  const isNumber = typeof shown === "number" || (typeof shown === "string" && shown.trim() !== "");
  const value = isNumber ? Number(shown) : Number.NaN;
  expect(Number.isNaN(value) ? (shown ?? null) : value, what).toEqual(expect.any(Number));
  return value;
}
