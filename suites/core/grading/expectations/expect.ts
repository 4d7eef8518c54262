import type { Exchange } from "../../exchange.ts";
import { isObject } from "../../json.ts";
import { isSame } from "../../text/differences.ts";
import { described } from "../../text/shown-value.ts";
import { isUuid } from "../../text/uuid.ts";
import { CheckFailure, type ExpectationKind } from "../failures/failure.ts";
import { type Relation, type Subject, subjectParts } from "../failures/mismatch.ts";

/** Details of an expectation other than its two values. */
interface ExpectationDetail {
  /** The exchange that shows the value. Defaults to the check's last exchange. */
  readonly exchange?: Exchange | undefined;
  /** The exchanges that together show the value, the decisive exchange last. */
  readonly exchanges?: readonly Exchange[];
  /** Further explanation of a failure, shown after a colon. */
  readonly note?: string | undefined;
  readonly kind?: ExpectationKind;
  /** The fault of the target, with the same wording for all findings of this fault. */
  readonly fault?: string;
}

/** Expectations on one observed value. */
export interface Expectation {
  /** Expects the same value: objects and lists member by member. */
  is(expected: unknown): void;
  isNot(unwanted: unknown): void;
  isOneOf(expected: readonly unknown[]): void;
  isNoneOf(unwanted: readonly unknown[]): void;
  isAtLeast(least: number): void;
  isAtMost(most: number): void;
  isMoreThan(bound: number): void;
  isLessThan(bound: number): void;
  /** Expects a difference of less than half a unit of the last decimal. */
  isNear(expected: number, decimals: number): void;
  isEmpty(): void;
  isNotEmpty(): void;
  hasLength(expected: number): void;
  /** A list with the entry, or a text with the part. */
  includes(part: unknown): void;
  doesNotInclude(part: unknown): void;
  /** A text with this beginning. */
  startsWith(beginning: string): void;
  matches(pattern: RegExp): void;
  doesNotMatch(pattern: RegExp): void;
  /** An object with at least these members. */
  hasFields(expected: object): void;
  hasField(name: string): void;
  /** Text that isn't blank. */
  isText(): void;
  isUuid(): void;
  isNumber(): void;
  isInteger(): void;
  isBoolean(): void;
  isList(): void;
  /** Any other expectation, in words. */
  satisfies(expected: string, holds: boolean): void;
}

const includes = (whole: unknown, part: unknown): boolean =>
  typeof whole === "string"
    ? typeof part === "string" && whole.includes(part)
    : Array.isArray(whole) && whole.some((entry) => isSame(entry, part));

const lengthOf = (value: unknown): number | undefined =>
  Array.isArray(value) || typeof value === "string" ? value.length : undefined;

/**
 * Expectations on an observed value. A failure is a {@link CheckFailure} with subject, relation, expected and actual.
 * @param subject the value in a few words: a field's name, a count
 */
export function expectThat(subject: Subject, actual: unknown, detail: ExpectationDetail = {}): Expectation {
  const { note, ...shown } = detail;
  const demand = (holds: boolean, relation: Relation, expected?: unknown): void => {
    if (!holds)
      throw new CheckFailure(
        { ...subjectParts(subject), relation, expected, actual, ...(note !== undefined && { note }) },
        shown,
      );
  };
  const compare = (relation: Relation, bound: number, holds: (value: number) => boolean): void =>
    demand(typeof actual === "number" && holds(actual), relation, bound);
  const be = (words: string, holds: boolean): void => demand(holds, "to be", described(words));
  const text = (pattern: RegExp): boolean => typeof actual === "string" && pattern.test(actual);
  return {
    is: (expected) => demand(isSame(actual, expected), "to be", expected),
    isNot: (unwanted) => demand(!isSame(actual, unwanted), "not to be", unwanted),
    isOneOf: (expected) => demand(includes(expected, actual), "to be one of", expected),
    isNoneOf: (unwanted) => demand(!includes(unwanted, actual), "not to be one of", unwanted),
    isAtLeast: (least) => compare("to be at least", least, (value) => value >= least),
    isAtMost: (most) => compare("to be at most", most, (value) => value <= most),
    isMoreThan: (bound) => compare("to be more than", bound, (value) => value > bound),
    isLessThan: (bound) => compare("to be less than", bound, (value) => value < bound),
    isNear: (expected, decimals) => {
      const tolerance = 0.5 * 10 ** -decimals;
      be(`${expected} ± ${tolerance}`, typeof actual === "number" && Math.abs(actual - expected) < tolerance);
    },
    isEmpty: () => demand(lengthOf(actual) === 0, "to be empty"),
    isNotEmpty: () => demand((lengthOf(actual) ?? 0) > 0, "not to be empty"),
    hasLength: (expected) => demand(lengthOf(actual) === expected, "to have length", expected),
    includes: (part) => demand(includes(actual, part), "to include", part),
    doesNotInclude: (part) =>
      demand(lengthOf(actual) !== undefined && !includes(actual, part), "not to include", part),
    startsWith: (beginning) =>
      demand(typeof actual === "string" && actual.startsWith(beginning), "to start with", beginning),
    matches: (pattern) => demand(text(pattern), "to match", pattern),
    doesNotMatch: (pattern) => demand(typeof actual === "string" && !text(pattern), "not to match", pattern),
    hasFields: (expected) => {
      const shown = isObject(actual) ? actual : {};
      const holds = Object.entries(expected).every(([name, member]) => isSame(shown[name], member));
      demand(isObject(actual) && holds, "to have", expected);
    },
    hasField: (name) => demand(isObject(actual) && name in actual, "to have", described(`a field ${name}`)),
    isText: () => be("text that isn't blank", text(/\S/)),
    isUuid: () => be("a UUID", isUuid(actual)),
    isNumber: () => be("a number", typeof actual === "number" && !Number.isNaN(actual)),
    isInteger: () => be("an integer", Number.isInteger(actual)),
    isBoolean: () => be("true or false", typeof actual === "boolean"),
    isList: () => be("a list", Array.isArray(actual)),
    satisfies: (words, holds) => be(words, holds),
  };
}
