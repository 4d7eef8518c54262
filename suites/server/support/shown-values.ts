import { isoInstant } from "../../core/clock.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import type { Subject } from "../../core/grading/failures/mismatch.ts";
import { textOf } from "../../core/json.ts";
import { isSame } from "../../core/text/differences.ts";

const msOf = (shown: unknown): number => Date.parse(textOf(shown));

/** The expected value at a time's bound. An infinite bound allows any time. */
const bounded = (ms: number, way: "earlier" | "later"): string =>
  Number.isFinite(ms) ? `${isoInstant(ms)} or ${way}` : "an instant";

/** The time in a response as Unix time in milliseconds. Asserts that it is valid. */
export function instantIn(shown: unknown, what: Subject): number {
  const ms = msOf(shown);
  expectThat(what, shown ?? null).satisfies("an instant", !Number.isNaN(ms));
  return ms;
}

/**
 * Asserts that a time isn't earlier than a bound, with both in the message.
 * @param earliest Unix time in milliseconds
 */
export function expectNoEarlier(shown: unknown, earliest: number, what: Subject): void {
  const expected = bounded(earliest, "later");
  expectThat(what, shown ?? null).satisfies(expected, msOf(shown) >= earliest);
}

/**
 * Asserts that a time isn't later than a bound.
 * @param latest Unix time in milliseconds
 */
export function expectNoLater(shown: unknown, latest: number, what: Subject): void {
  const expected = bounded(latest, "earlier");
  expectThat(what, shown ?? null).satisfies(expected, msOf(shown) <= latest);
}

/** Asserts that two times differ by at most `toleranceMs`. */
export function expectSameInstant(
  shown: unknown,
  expected: unknown,
  what: Subject,
  { toleranceMs }: { readonly toleranceMs: number },
): void {
  const isSame = Math.abs(msOf(shown) - msOf(expected)) <= toleranceMs;
  if (!isSame) expectThat(what, shown ?? null).is(expected);
}

/** The number in a response, which may be text. Asserts that it is valid. */
export function numberIn(shown: unknown, what: Subject): number {
  const isNumber = typeof shown === "number" || (typeof shown === "string" && shown.trim() !== "");
  const value = isNumber ? Number(shown) : Number.NaN;
  expectThat(what, shown ?? null).satisfies("a number", !Number.isNaN(value));
  return value;
}

/** The note on a value that a change of the address should have changed; undefined if it did. */
export const unchangedNote = (before: unknown, after: unknown): string | undefined =>
  isSame(before, after) ? "it is still that of the previous address" : undefined;

/** The number of decimal places to which coordinates must agree: about five metres. */
export const COORDINATE_DECIMALS = 4;
/** The number for coordinates that were sent with five decimal places: to a metre. */
export const PRECISE_DECIMALS = 5;

/** The last ten digits, which are the same in all notations of a phone number. */
export const lastTenDigits = (phone: unknown): string => textOf(phone).replaceAll(/\D/g, "").slice(-10);
