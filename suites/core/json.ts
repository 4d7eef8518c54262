/** True for a JSON object, but not for an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The service's JSON has five levels. */
const MAX_DEPTH = 200;
/** A page of 200 deliveries has about 20,000 values. */
const MAX_VALUES = 500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Counts a character in a text up to `most`. A result of `most + 1` means more than `most`. */
function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}

/**
 * Describes how JSON text exceeds the suite's limits. Recursive functions read each value, and parsing a megabyte of
 * commas takes a hundred megabytes of memory.
 * @param most the maximum number of values
 */
export function jsonExcess(text: string, most = MAX_VALUES): string | undefined {
  // Skips the full count for texts with few brackets.
  const brackets = () => countUpTo(text, "{", MAX_DEPTH) + countUpTo(text, "[", MAX_DEPTH);
  if (text.length <= most && brackets() <= MAX_DEPTH) return undefined;
  if (!/^\s*[[{]/.test(text)) return undefined;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1)
        if (text.charCodeAt(at) === BACKSLASH) at += 1;
    } else if (OPENING.includes(code)) {
      depth += 1;
      values += 1;
    } else if (CLOSING.includes(code)) depth -= 1;
    else if (code === COMMA) values += 1;
    if (depth > MAX_DEPTH) return `its JSON is nested more than ${MAX_DEPTH} levels deep`;
    if (values > most) return `its JSON has more than ${most} values`;
  }
  return undefined;
}

/** Parses JSON. Undefined if it is invalid or exceeds the limits. */
export function parseJson(text: string): unknown {
  if (jsonExcess(text) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A nested member of parsed JSON. Undefined if it is absent. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value);

/**
 * Any value as text. A target's value may have a `toString` that isn't a function, which makes `String` and
 * template literals throw.
 */
export const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** The number that a value is or contains as text; NaN for anything else. */
export const numberOf = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

export const textMember = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = member(value, ...path);
  return typeof found === "string" ? found : undefined;
};
