import { inspect } from "node:util";
import { isObject } from "../json.ts";

/** A description that represents many values, such as "a UUID". It is shown without quotes. */
export class Described {
  readonly words: string;

  constructor(words: string) {
    this.words = words;
  }

  [inspect.custom](): string {
    return this.words;
  }
}

export const described = (words: string): Described => new Described(words);

/** Removes secrets from a text. It is applied to each text before anything is cut. */
export type Clean = (text: string) => string;

const asItIs: Clean = (text) => text;

/** The value without secrets, with descriptions for values that `inspect` shows poorly. */
function readable(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value === "function") return described("a function");
  if (value instanceof Described) return described(clean(value.words));
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map((entry) => readable(entry, clean));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readable(member, clean)]));
}

/** A whole value. Strings are shown without quotes. */
export function shownValue(value: unknown, clean: Clean = asItIs): string {
  const shown = readable(value, clean);
  return typeof shown === "string" ? shown : inspect(shown, { depth: 6, breakLength: 100 });
}

/** The number of shown list entries. */
const NAMED_ENTRIES = 3;
/** The maximum length of an object or list entry. */
const LONGEST_ENTRY = 60;
/** The maximum length of a text. */
export const LONGEST_TEXT = 80;

const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join("")}…`;
};

/** A text in quotation marks that don't occur in it. */
const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text}'`;

/**
 * A text in one line. It processes each run of white space once, because `\s*\n\s*` takes hours for a
 * megabyte of tabs.
 */
export const withoutBreaks = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (space.includes("\n") ? " " : space));

/** A value for a sentence: texts are quoted, long texts and lists are cut. */
export function inLine(value: unknown, clean: Clean = asItIs, longest = LONGEST_TEXT): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${entriesInLine(value, clean)} ]`;
  if (typeof value === "string") return quoted(cut(withoutBreaks(clean(value)), longest));
  const shown = withoutBreaks(shownValue(value, clean));
  return isObject(value) && !(value instanceof Described) ? cut(shown, LONGEST_ENTRY) : shown;
}

/** The first entries and the number of further ones. */
export function entriesInLine(list: readonly unknown[], clean: Clean = asItIs): string {
  const named = list
    .slice(0, NAMED_ENTRIES)
    .map((entry) => inLine(entry, clean, LONGEST_ENTRY))
    .join(", ");
  return list.length <= NAMED_ENTRIES ? named : `${named} and ${list.length - NAMED_ENTRIES} more`;
}
