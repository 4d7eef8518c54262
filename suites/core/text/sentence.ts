import { inspect, stripVTControlCharacters } from "node:util";
import { isObject } from "../json.ts";

/** What assertions write for values that have a word of their own. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  // Too long for the line; what was due stands beside the message in full.
  [/\bString(?:Matching|Containing) ?\{…\}/g, "text of another form"],
  [/\bArrayContaining ?\{…\}/g, "a list that holds others"],
  [/\bObjectContaining ?\{…\}/g, "an object that holds others"],
  [/\bStringMatching \/\\S\/[a-z]*/g, "text that isn't blank"],
  [/\bStringMatching (?=\/)/g, "text that matches "],
  [/\bStringContaining /g, "text with "],
  [/\bArrayContaining /g, "a list with "],
  [/\bObjectContaining /g, "an object with "],
  [/\bAny<String>/g, "any text"],
  [/\bAny<Number>/g, "any number"],
  [/\bAny<Boolean>/g, "true or false"],
  [/\bAny<Array>/g, "any list"],
  [/\bAny<Object>/g, "any object"],
  [/\bAny<(\w+)>/g, "any $1"],
  [/\bAnything\b/g, "any value"],
  [/\[Function[^\]]*\]/g, "a function"],
  [/(?<![\w.+-])[+-]0(?![\w.])/g, "0"],
];

const inWords = (text: string): string =>
  WORDS.reduce((said, [pattern, word]) => said.replaceAll(pattern, word), text);

const due =
  (before = "") =>
  (actual: string, expected: string): string =>
    `${actual} where ${before}${expected} was due`;

/** Endings of an assertion's message, and what they say; the first that occurs counts. */
const ENDINGS: readonly (readonly [RegExp, (actual: string, ...rest: readonly string[]) => string])[] = [
  [
    / to be close to (.+), received difference is (.+), but expected (.+)$/s,
    (actual, expected = "", apart = "") => `${actual} where ${expected} was due, which is ${apart} away`,
  ],
  [
    / to have a length of ([+\d]+) but got ([+\d]+)$/s,
    (_, expected = "", count = "") => `${count} where ${expected} were due`,
  ],
  [
    / (?:to not|not to) have property "(.+)"(?: with value .+)?$/s,
    (actual, name = "") => `${name} is there, in ${actual}`,
  ],
  [
    / to have property "(.+)"(?: with value .+)?$/s,
    (actual, name = "") => `there is no ${name} in ${actual}`,
  ],
  [/ to be less than or equal to (.+)$/s, due("at most ")],
  [/ to be less than (.+)$/s, due("less than ")],
  [/ to be greater than or equal to (.+)$/s, due("at least ")],
  [/ to be greater than (.+)$/s, due("more than ")],
  [/ to be an instance of Array$/s, (actual) => `${actual} where a list was due`],
  [/ to be an instance of (.+)$/s, due("a ")],
  [/ to be type of '(.+)'$/s, due("a ")],
  [/ to be defined$/s, () => "it isn't there"],
  [/ to be undefined$/s, (actual) => `${actual} where nothing was due`],
  [/ to be (truthy|falsy)$/s, (actual) => `${actual}, which isn't right`],
  [
    / (?:to not|not to) (?:be|deeply equal|strictly equal|equal) (.+)$/s,
    (actual) => `${actual}, which it must not be`,
  ],
  [
    / (?:to not|not to) match (.+)$/s,
    (actual, expected = "") => `${actual} matches ${expected}, and must not`,
  ],
  [
    / (?:to not|not to) (?:include|contain) (.+)$/s,
    (actual, expected = "") => `${actual} holds ${expected}, and must not`,
  ],
  [/ to (?:include|contain) (.+)$/s, (actual, expected = "") => `${actual} doesn't hold ${expected}`],
  [/ to match object (.+)$/s, due()],
  [/ to match (.+)$/s, (actual, expected = "") => `${actual} doesn't match ${expected}`],
  [/ to (?:be|deeply equal|strictly equal|equal) (.+)$/s, due()],
];

/** What is said of a value that was to satisfy something, or to be one of several. */
function satisfied(label: string, text: string): string | undefined {
  const parts = /Expected value to (satisfy|be one of):\n(.+)\n\nReceived:\n(.+)$/s.exec(text);
  if (!parts) return undefined;
  const [, kind, expected = "", actual = ""] = parts;
  const wanted = inWords(expected.replace(/^Array /, "").replaceAll(/\s+/g, " "));
  const got = inWords(actual);
  if (wanted === "a function") return `${label}${got}, which isn't right`;
  return `${label}${got} where ${kind === "satisfy" ? "" : "one of "}${wanted} was due`;
}

/** What is said of a value that can hold nothing, where something in it was looked for. */
function unfitted(text: string): string | undefined {
  const [, label = "", kind] =
    /^(.*?: )?the given combination of arguments \((\w+) and \w+\) is invalid/s.exec(text) ?? [];
  if (kind !== undefined) return `${label}${kind} where text or a list was due`;
  const [, of] = /^(.*?: )?Target cannot be null or undefined\.?$/s.exec(text) ?? [];
  return of === undefined ? undefined : `${of}it isn't there`;
}

/**
 * What a failed assertion says, as a person would: of its label, what came and what was due. A message of our own stays
 * as it is.
 */
export const sentenceOf = (message: string): string => said(message).replaceAll(/\s*\n\s*/g, " ");

function said(message: string): string {
  const text = stripVTControlCharacters(message).replace(/ \/\/ Object\.is equality\s*$/, "");
  const unfit = unfitted(text);
  if (unfit !== undefined) return unfit;
  const [, label = "", rest] = /^((?:.*?: )?)expect(?:ed |\()(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return text.split("\n")[0] ?? "";
  const oneOf = satisfied(label, text);
  if (oneOf !== undefined) return oneOf;
  const truth = /^(true|false) to (?:be|deeply equal) (true|false)$/.exec(rest);
  if (truth && label.startsWith("that ")) {
    const what = label.slice("that ".length, -": ".length);
    return truth[2] === "true" ? `it isn't so that ${what}` : `${what}, which must not be`;
  }
  for (const [ending, say] of ENDINGS) {
    const found = ending.exec(rest);
    if (!found) continue;
    const actual = inWords(rest.slice(0, found.index));
    return `${label}${say(actual, ...found.slice(1).map(inWords))}`;
  }
  return inWords(text.split("\n")[0] ?? "");
}

/** What was due, where a value alone would say something else: a bound, or anything but a value. */
export function dueInWords(message: string): string | undefined {
  const [, beyond, bound = ""] =
    / where ((?:at most|less than|at least|more than) )(.+?) was due$/s.exec(message) ?? [];
  if (beyond !== undefined) return `${beyond}${bound}`;
  const [, held] = /: .+ holds (.+), and must not$/s.exec(message) ?? [];
  if (held !== undefined) return `anything without ${held}`;
  const [, unwanted] = /^(?:[^:]*: )?(.+), which it must not be$/s.exec(message) ?? [];
  return unwanted === undefined ? undefined : `anything but ${unwanted}`;
}

const MATCHER = Symbol.for("jest.asymmetricMatcher");

/** What stands in an assertion for a whole kind of values. */
interface Matcher extends Record<string, unknown> {
  asymmetricMatch(value: unknown): boolean;
}

export const isMatcher = (value: unknown): value is Matcher =>
  isObject(value) && Reflect.get(value, "$$typeof") === MATCHER;

/** Says it as it is when something around it is shown. */
const verbatim = (text: string): object => ({ [inspect.custom]: () => text });

/** The same value with words for what stands in it for a whole kind of values. */
function readable(value: unknown): unknown {
  if (typeof value === "function") return verbatim("a function");
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(readable);
  if (isMatcher(value)) return verbatim(matcherInWords(value));
  if (!isObject(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readable(member)]));
}

function matcherInWords(matcher: Record<string, unknown>): string {
  const { toAsymmetricMatcher: whole, sample } = matcher;
  const text: unknown = typeof whole === "function" ? whole.call(matcher) : undefined;
  if (typeof text === "string") return inWords(text);
  return inWords(`${String(matcher)} ${inspect(readable(sample), { depth: 4, breakLength: 100 })}`);
}

/** A value as a report shows it. */
export const shownValue = (value: unknown): string =>
  typeof value === "string" ? value : inspect(readable(value), { depth: 6, breakLength: 100 });
