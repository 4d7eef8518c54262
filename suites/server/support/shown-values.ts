import { isoInstant } from "../../core/clock.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { textOf } from "../../core/json.ts";

const msOf = (shown: unknown): number => Date.parse(textOf(shown));

/** The expected value at the bound of a time; an infinite bound allows any instant. */
const bounded = (ms: number, way: "earlier" | "later"): string =>
  Number.isFinite(ms) ? `${isoInstant(ms)} or ${way}` : "an instant";

/** The instant that an answer shows, in milliseconds since 1970; asserts that it is one. */
export function instantIn(shown: unknown, what: string): number {
  const ms = msOf(shown);
  expectThat(what, shown ?? null).satisfies("an instant", !Number.isNaN(ms));
  return ms;
}

/**
 * Asserts that an instant isn't before another, and reports both in readable form.
 * @param earliest milliseconds since 1970
 */
export function expectNoEarlier(shown: unknown, earliest: number, what: string): void {
  const due = bounded(earliest, "later");
  expectThat(what, shown ?? null).satisfies(due, msOf(shown) >= earliest);
}

/**
 * Asserts that an instant isn't after another.
 * @param latest milliseconds since 1970
 */
export function expectNoLater(shown: unknown, latest: number, what: string): void {
  const due = bounded(latest, "earlier");
  expectThat(what, shown ?? null).satisfies(due, msOf(shown) <= latest);
}

/** Asserts that two instants agree to this many milliseconds. */
export function expectSameInstant(shown: unknown, due: unknown, toleranceMs: number, what: string): void {
  const isSame = Math.abs(msOf(shown) - msOf(due)) <= toleranceMs;
  if (!isSame) expectThat(what, shown ?? null).is(due);
}

/** The number that an answer shows, as a number or as text; asserts that it is one. */
export function numberIn(shown: unknown, what: string): number {
  const isNumber = typeof shown === "number" || (typeof shown === "string" && shown.trim() !== "");
  const value = isNumber ? Number(shown) : Number.NaN;
  expectThat(what, shown ?? null).satisfies("a number", !Number.isNaN(value));
  return value;
}
