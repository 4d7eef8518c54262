import { isoInstant } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { numberOf, textOf } from "../../../core/json.ts";
import { type Field, fieldsOf, parametersOf } from "./fields.ts";

export type Rule =
  | "required"
  | "non-null"
  | "type"
  | "const"
  | "null"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "format"
  | "minimum"
  | "maximum"
  | "maxItems"
  | "zone"
  | "decimals"
  | "exponent"
  | "ahead";

/** A valid or invalid value next to a bound. `words` follows the field's name: `of 40 characters`. */
interface Side {
  readonly words: string;
  /**
   * @param example a valid value of the field
   * @param now the integrator's time as Unix time in milliseconds
   * @returns undefined for a body without the field
   */
  value(example: unknown, now: number): unknown;
}

/** One constraint of the document on one field: the last valid value and the first invalid one. */
export interface Bound {
  readonly field: Field;
  readonly rule: Rule;
  /** Undefined if any valid value can be used. */
  readonly legal?: Side;
  /** Undefined if the bound has no invalid value. */
  readonly illegal?: Side;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const side = (words: string, value: Side["value"]): Side => ({ words, value });

/**
 * Pads or cuts the example to `length`. Padding with zeros keeps identifiers and digits valid. Texts with
 * spaces are padded with non-ASCII letters.
 */
const withLength = (length: number) => (example: unknown) => {
  const text = textOf(example);
  return text.padEnd(length, text.includes(" ") ? "ğ" : "0").slice(0, length);
};

const withEntries = (length: number) => (example: unknown) =>
  Array.from({ length }, () => (Array.isArray(example) ? example[0] : example));

/** A value of another type than `types`, which even a tolerant parser can't convert. */
function ofOtherType(types: readonly string[]): Side {
  if (types.includes("string")) return side("that is an object", () => ({ wrong: true }));
  if (types.includes("array")) return side("that is a number", () => 5);
  if (types.includes("integer")) return side("that is a fraction", () => 1.5);
  return side("that is a string", () => "wrong");
}

/** The example with the smallest change after which the pattern doesn't match. */
const mismatched = (pattern: RegExp) => (example: unknown) => {
  const text = textOf(example);
  const candidates = [`${text}x`, `x${text}`, text.replace("https:", "http:")];
  const mismatch = candidates.find((candidate) => !pattern.test(candidate));
  if (mismatch === undefined) throw new Error(`the suite has no text that doesn't match ${pattern}`);
  return mismatch;
};

/** A number with this many decimal places that is exact in binary: 1.125 has three. */
const withDecimals = (places: number) => () => 1 + 2 ** -places;

const withoutZone = (ms: number) => isoInstant(ms).replace(/Z$/, "");

type BoundSides = Omit<Bound, "field">;
type BoundFactory = (keywordValue: unknown, field: Field) => BoundSides | readonly BoundSides[];

/** The bounds of each format. A time has two bounds, because it may be invalid only for lack of an offset. */
const formats: Readonly<Record<string, readonly BoundSides[]>> = {
  "date-time": [
    { rule: "zone", illegal: side("without a time zone", (_, now) => withoutZone(now + HOUR_MS)) },
    { rule: "format", illegal: side("that isn't a time", () => "yarın akşam") },
  ],
  uri: [{ rule: "format", illegal: side("that isn't a URL", () => "adres yok") }],
  uuid: [{ rule: "format", illegal: side("that isn't a UUID", () => "1234") }],
};

/** The bounds of each keyword. */
const boundsByKeyword: Readonly<Record<string, BoundFactory>> = {
  type: (_, { types }) => ({ rule: "type", illegal: ofOtherType(types) }),
  const: (keywordValue) => ({
    rule: "const",
    illegal: side(`other than ${textOf(keywordValue)}`, () => "other"),
  }),
  minLength: (keywordValue) => {
    const min = numberOf(keywordValue);
    return {
      rule: "minLength",
      legal: side(`of ${min} characters`, withLength(min)),
      illegal: side(`of ${min - 1} characters`, withLength(min - 1)),
    };
  },
  maxLength: (keywordValue) => {
    const max = numberOf(keywordValue);
    return {
      rule: "maxLength",
      legal: side(`of ${max} characters`, withLength(max)),
      illegal: side(`of ${max + 1} characters`, withLength(max + 1)),
    };
  },
  pattern: (keywordValue) => ({
    rule: "pattern",
    illegal: side(
      `that doesn't match ${textOf(keywordValue)}`,
      mismatched(new RegExp(textOf(keywordValue), "u")),
    ),
  }),
  minimum: (keywordValue) => {
    const min = numberOf(keywordValue);
    return {
      rule: "minimum",
      legal: side(`of ${min}`, () => min),
      illegal: side(`of ${min - 1}`, () => min - 1),
    };
  },
  maximum: (keywordValue) => {
    const max = numberOf(keywordValue);
    return {
      rule: "maximum",
      legal: side(`of ${max}`, () => max),
      illegal: side(`of ${max + 1}`, () => max + 1),
    };
  },
  maxItems: (keywordValue) => {
    const max = numberOf(keywordValue);
    return {
      rule: "maxItems",
      legal: side(`with ${max} entries`, withEntries(max)),
      illegal: side(`with ${max + 1} entries`, withEntries(max + 1)),
    };
  },
  format: (keywordValue) => {
    const sides = formats[textOf(keywordValue)];
    if (!sides) throw new Error(`the suite tests no bound for the format ${textOf(keywordValue)}`);
    return sides;
  },
  "x-max-decimals": (keywordValue) => {
    const max = numberOf(keywordValue);
    return [
      {
        rule: "decimals",
        legal: side(`with ${max} decimal places`, withDecimals(max)),
        illegal: side(`with ${max + 1} decimal places`, withDecimals(max + 1)),
      },
      // 1e-7 has too many decimal places, although its JSON text has no decimal point.
      { rule: "exponent", illegal: side("of 1e-7, which has seven decimal places", () => 1e-7) },
    ];
  },
  // The valid and the invalid time keep a distance from the bound, because the exact length of "7 days" is
  // unspecified (OPEN-128).
  "x-max-ahead": (keywordValue) => {
    const days = Number(/^P(\d+)D$/.exec(textOf(keywordValue))?.[1]);
    return {
      rule: "ahead",
      legal: side(`an hour less than ${days} days ahead`, (_, now) =>
        isoInstant(now + days * DAY_MS - HOUR_MS),
      ),
      illegal: side(`a day more than ${days} days ahead`, (_, now) => isoInstant(now + (days + 1) * DAY_MS)),
    };
  },
};

/** Keywords that constrain no value, or whose constraint is covered by the bounds of other fields. */
const UNCONSTRAINING_KEYWORDS = [
  "description",
  "examples",
  "default",
  "x-open-point",
  "properties",
  "items",
  "required",
];

function boundsOn(field: Field): readonly Bound[] {
  const bounds: Bound[] = [];
  const nullable = field.types.includes("null");
  if (field.required) {
    bounds.push({ field, rule: "required", illegal: side("that is missing", () => undefined) });
  }
  // Whether null is valid for an optional field is unspecified (OPEN-125). For a required field it is invalid.
  if (field.required && !nullable) {
    bounds.push({ field, rule: "non-null", illegal: side("that is null", () => null) });
  }
  if (nullable) bounds.push({ field, rule: "null", legal: side("that is null", () => null) });
  for (const [keyword, keywordValue] of Object.entries(field.schema)) {
    if (UNCONSTRAINING_KEYWORDS.includes(keyword)) continue;
    const boundsFor = boundsByKeyword[keyword];
    if (!boundsFor)
      throw new Error(`the suite tests no bound for ${keyword}, which the document has on ${field.name}`);
    for (const sides of [boundsFor(keywordValue, field)].flat()) bounds.push({ field, ...sides });
  }
  return bounds;
}

/** All bounds of an operation's body in the document. An unknown keyword is an error. */
export const boundsOf = (id: OperationId): readonly Bound[] => fieldsOf(id).flatMap(boundsOn);

/** True for bounds that path, query and header values can't violate, because they are always text. */
const isAlwaysMetByText = ({ rule, field }: Bound) =>
  rule === "non-null" || (rule === "type" && field.types.includes("string"));

/** All bounds of an operation's path, query and header parameters in the document. */
export const parameterBoundsOf = (id: OperationId): readonly Bound[] =>
  parametersOf(id)
    .flatMap(boundsOn)
    .filter((bound) => !isAlwaysMetByText(bound));
