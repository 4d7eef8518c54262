import { isObject } from "../json.ts";
import { type Clean, Described, entriesInLine, inLine, LONGEST_TEXT } from "./shown-value.ts";

/** True if two values are the same JSON. An undefined member counts as absent. */
export function isSame(value: unknown, other: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(other))
    return value.length === other.length && value.every((entry, place) => isSame(entry, other[place]));
  if (isObject(value) && isObject(other))
    return [...Object.keys(value), ...Object.keys(other)].every((name) => isSame(value[name], other[name]));
  return Object.is(value, other);
}

/** The entries of a list without those that the other list matches. */
function withoutAll(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const unmatched = [...others];
  return list.filter((entry) => {
    const place = unmatched.findIndex((other) => isSame(entry, other));
    if (place >= 0) unmatched.splice(place, 1);
    return place < 0;
  });
}

/** Longer lists aren't compared, because the comparison takes quadratic time. */
const MAX_COMPARED = 250;

function listDifference(
  expected: readonly unknown[],
  actual: readonly unknown[],
  clean: Clean,
): string | undefined {
  if (Math.max(actual.length, expected.length) > MAX_COMPARED) return undefined;
  const missing = withoutAll(expected, actual);
  const unexpected = withoutAll(actual, expected);
  // If no entry matches, or if there is only one, the complete lists say more than the missing entries.
  if (missing.length === expected.length && unexpected.length === actual.length) return undefined;
  if (missing.length + unexpected.length === 0)
    return `other order, expected ${entriesInLine(expected, clean)} first`;
  return [
    ...(missing.length > 0 ? [`missing ${entriesInLine(missing, clean)}`] : []),
    ...(unexpected.length > 0 ? [`unexpected ${entriesInLine(unexpected, clean)}`] : []),
  ].join("; ");
}

/** The number of characters shown before a difference, and from the difference on. */
const SHOWN_BEFORE = 10;
const SHOWN_FROM = 20;

/** The characters around a place in a text. */
function excerptAt(characters: readonly string[], place: number, clean: Clean): string {
  const [from, to] = [place - SHOWN_BEFORE, place + SHOWN_FROM];
  return inLine(`…${characters.slice(from, to).join("")}${to < characters.length ? "…" : ""}`, clean);
}

/**
 * The place where two long texts differ, if both begin with more characters than a sentence shows.
 * @param isWhole false if the text may go on after the expected characters
 */
export function textDifference(
  expected: string,
  actual: string,
  clean: Clean,
  isWhole = true,
): string | undefined {
  // The excerpts are from texts without secrets, because a part of a secret isn't recognised.
  const [expectedCharacters, received] = [[...clean(expected)], [...clean(actual)]];
  const length = isWhole ? Math.max(expectedCharacters.length, received.length) : expectedCharacters.length;
  const place = Array.from({ length }).findIndex((_, at) => expectedCharacters[at] !== received[at]);
  if (place < LONGEST_TEXT) return undefined;
  if (place === received.length) return `cut after ${place} of ${expectedCharacters.length} characters`;
  const got = excerptAt(received, place, clean);
  return place === expectedCharacters.length
    ? `goes on after the expected ${place} characters: ${got}`
    : `differs from character ${place + 1} on: expected ${excerptAt(expectedCharacters, place, clean)}, got ${got}`;
}

/** The path of the first difference, and a description if the two values alone aren't enough. */
interface Difference {
  /** The member names of the path, as in `dropoff.text`. */
  readonly path: readonly string[];
  readonly expected: unknown;
  readonly actual: unknown;
  /** A description that replaces both values. */
  readonly words?: string;
  /** The number of other different members. */
  readonly others: number;
}

/**
 * The first difference of two values: objects by the first member that differs, lists by their entries, long texts by
 * the place of the difference.
 */
export function differenceOf(expected: unknown, actual: unknown, clean: Clean): Difference {
  if (Array.isArray(expected) && Array.isArray(actual))
    return here(expected, actual, listDifference(expected, actual, clean));
  if (typeof expected === "string" && typeof actual === "string")
    return here(expected, actual, textDifference(expected, actual, clean));
  if (!isObject(expected) || !isObject(actual) || expected instanceof Described)
    return here(expected, actual);
  const [first, ...rest] = Object.keys(expected).filter((name) => !isSame(expected[name], actual[name]));
  if (first === undefined) {
    const unexpected = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
    return here(expected, actual, `unexpected ${entriesInLine(unexpected, clean)}`);
  }
  const inside = differenceOf(expected[first], actual[first], clean);
  return { ...inside, path: [first, ...inside.path], others: inside.others + rest.length };
}

const here = (expected: unknown, actual: unknown, words?: string): Difference => ({
  path: [],
  expected,
  actual,
  others: 0,
  ...(words !== undefined && { words }),
});
