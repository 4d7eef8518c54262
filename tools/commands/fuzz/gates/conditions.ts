/**
 * Conditions of gates. A gate is a generated fault that occurs only under a condition about a value, or about the
 * circumstances of the request.
 */
import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { oneOf, type Random } from "../../../../sandbox/simulator/random.ts";
import type { Place } from "./places.ts";

/** The properties of a request that a condition may be about, other than the value. */
export interface Circumstances {
  /** The number of requests of this operation so far, with this one. */
  readonly count: number;
  /** Seconds since the token was used first, on the integrator's clock. */
  readonly tokenAgeS: number;
  /** The hour of the day in UTC, on the integrator's clock. */
  readonly hour: number;
}

export interface Condition {
  /** The condition in words, to follow "if". */
  readonly words: string;
  /** True if the condition is about the token. A refusal is then a 401. */
  readonly isAboutToken?: true;
  holds(value: unknown, circumstances: Circumstances): boolean;
}

const whole = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

const ofText = (words: string, test: (text: string) => boolean): Condition => ({
  words,
  holds: (value) => typeof value === "string" && test(value),
});
const ofNumber = (words: string, test: (value: number) => boolean): Condition => ({
  words,
  holds: (value) => typeof value === "number" && test(value),
});
const matching = (words: string, pattern: RegExp) => ofText(words, (text) => pattern.test(text));

/** The bounds of the country in degrees. */
export const BOX: Readonly<Record<string, readonly [number, number]>> = { lat: [36, 42], lng: [26, 45] };

function aboutNumber(random: Random, name: string, schema: JsonObject): Condition {
  const box = BOX[name];
  if (box !== undefined) {
    const bound = Math.round((box[0] + random() * (box[1] - box[0])) * 10) / 10;
    return oneOf(random, [
      ofNumber(`it is over ${bound}`, (value) => value > bound),
      ofNumber(`it is under ${bound}`, (value) => value < bound),
      ofNumber(
        "it has more than five decimal places",
        (value) => !Number.isInteger(Number((value * 1e5).toFixed(6))),
      ),
    ]);
  }
  const { minimum: least = 0, maximum: most = 2_000 } = schema;
  const bound = whole(random, Number(least) + 1, Number(most) - 1);
  const divisor = whole(random, 2, 7);
  return oneOf(random, [
    ofNumber("it is even", (value) => value % 2 === 0),
    ofNumber("it is odd", (value) => Math.abs(value % 2) === 1),
    ofNumber(`it is divisible by ${divisor}`, (value) => value !== 0 && value % divisor === 0),
    ofNumber(`it is over ${bound}`, (value) => value > bound),
    ofNumber(`it is ${bound} or less`, (value) => value <= bound),
    ofNumber("it is 0", (value) => value === 0),
    ofNumber("it has a fraction", (value) => !Number.isInteger(value)),
  ]);
}

function aboutInstant(random: Random): Condition {
  const hour = whole(random, 0, 23);
  const of = (words: string, test: (at: Date) => boolean) =>
    ofText(words, (text) => !Number.isNaN(Date.parse(text)) && test(new Date(text)));
  return oneOf(random, [
    of(`its hour is ${hour} or later`, (at) => at.getUTCHours() >= hour),
    of(`its hour is before ${hour}`, (at) => at.getUTCHours() < hour),
    of("it has no milliseconds", (at) => at.getUTCMilliseconds() === 0),
    of("it is on a weekend", (at) => at.getUTCDay() % 6 === 0),
    matching("it is written with an offset", /[+-]\d\d:?\d\d$/),
  ]);
}

/** Draws a condition for a value in a path or a header. */
function aboutPlainText(random: Random): Condition {
  const length = whole(random, 8, 128);
  const last = oneOf(random, ["[0-4]", "[5-9]", "[a-m]", "[n-z]"]);
  return oneOf(random, [
    matching("it holds capitals", /[A-Z]/),
    matching("it contains no digit", /^\D+$/),
    matching("it contains no dash", /^[^-]+$/),
    matching("it contains an underscore", /_/),
    matching(`it ends in ${last}`, new RegExp(`${last}$`)),
    ofText(`it has over ${length} characters`, (text) => text.length > length),
  ]);
}

function aboutText(random: Random, schema: JsonObject): Condition {
  const { maxLength = 60 } = schema;
  const length = whole(random, 3, Math.min(Number(maxLength), 250) - 1);
  const letter = oneOf(random, ["a", "e", "i", "k", "m", "n", "r", "s", "t", "z"]);
  return oneOf(random, [
    matching("it contains an emoji", /\p{Extended_Pictographic}/u),
    matching("it contains a Turkish letter", /[çğıöşüÇĞİÖŞÜ]/),
    matching("it holds capitals", /\p{Lu}/u),
    matching("it contains a digit", /\d/),
    matching("it holds punctuation", /[^\p{L}\p{N}\s]/u),
    matching("it contains a quotation mark", /["']/),
    matching("it contains < or &", /[<&]/),
    matching("it contains a slash", /[/\\]/),
    matching("it contains a line break", /\n/),
    matching("it contains two spaces in a row", / {2}/),
    matching(`it contains the letter ${letter}`, new RegExp(letter)),
    matching(`it ends in ${letter} or a digit`, new RegExp(`(?:${letter}|\\d)$`)),
    ofText("its length is even", (text) => text.length % 2 === 0),
    ofText(`it has over ${length} characters`, (text) => text.length > length),
    ofText(`it has ${length} characters or fewer`, (text) => text.length <= length),
  ]);
}

function aboutList(random: Random, { maxItems = 20 }: JsonObject): Condition {
  const length = whole(random, 1, Math.min(Number(maxItems), 100) - 1);
  const of = (words: string, test: (length: number) => boolean): Condition => ({
    words,
    holds: (value) => Array.isArray(value) && test(value.length),
  });
  return oneOf(random, [
    of("its length is even", (count) => count > 0 && count % 2 === 0),
    of("its length is odd", (count) => count % 2 === 1),
    of(`it has over ${length} entries`, (count) => count > length),
    of("it has one entry", (count) => count === 1),
  ]);
}

function aboutId(random: Random): Condition {
  const last = whole(random, 0, 15).toString(16);
  return matching(`it ends in ${last} or in a letter`, new RegExp(`[${last}a-f]$`));
}

function aboutCircumstances(random: Random): Condition {
  const seconds = whole(random, 10, 1_700);
  const times = whole(random, 2, 30);
  const hour = whole(random, 0, 23);
  return oneOf<Condition>(random, [
    {
      words: `the token was first used over ${seconds} s ago`,
      isAboutToken: true,
      holds: (_, { tokenAgeS }) => tokenAgeS > seconds,
    },
    {
      words: `it is the ${times}th request of the operation or a later one`,
      holds: (_, { count }) => count >= times,
    },
    {
      words: `the number of the request is divisible by ${times}`,
      holds: (_, { count }) => count % times === 0,
    },
    { words: `it is ${hour}:00 or later`, holds: (_, { hour: now }) => now >= hour },
  ]);
}

/** True for a time: by its format in requests, by its pattern in responses. */
export const isInstant = ({ format, pattern }: JsonObject): boolean =>
  format === "date-time" || String(pattern).includes("T(");

/** The share of conditions that are about the circumstances instead of the value. */
const CIRCUMSTANCES_SHARE = 1 / 8;

/** Draws a condition that fits the type of a value. */
export function conditionFor(random: Random, { path, part, schema }: Place): Condition {
  if (random() < CIRCUMSTANCES_SHARE) return aboutCircumstances(random);
  const type = [schema.type].flat()[0];
  if (type === "boolean") {
    const wanted = random() < 0.5;
    return { words: `it is ${wanted}`, holds: (value) => value === wanted };
  }
  if (type === "array") return aboutList(random, schema);
  if (type === "number" || type === "integer") return aboutNumber(random, path.at(-1) ?? "", schema);
  if (schema.format === "uuid") return aboutId(random);
  if (isInstant(schema)) return aboutInstant(random);
  return part === "headers" || part === "path" ? aboutPlainText(random) : aboutText(random, schema);
}
