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

/** A value on one side of a bound, worded to follow the field's name: `of 40 characters`. */
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
 * The example in this length. Identifiers remain unique, digits remain digits, and texts of several words get
 * non-ASCII letters.
 */
const stretched = (length: number) => (example: unknown) => {
  const text = textOf(example);
  return text.padEnd(length, text.includes(" ") ? "ğ" : "0").slice(0, length);
};

const repeated = (length: number) => (example: unknown) =>
  Array.from({ length }, () => (Array.isArray(example) ? example[0] : example));

/** A value that even a tolerant parser can't convert to one of these types. */
function ofOtherType(types: readonly string[]): Side {
  if (types.includes("string")) return side("that is an object", () => ({ wrong: true }));
  if (types.includes("array")) return side("that is a number", () => 5);
  if (types.includes("integer")) return side("that is a fraction", () => 1.5);
  return side("that is a string", () => "wrong");
}

/** The example with the smallest change after which the pattern doesn't match. */
const mismatched = (pattern: RegExp) => (example: unknown) => {
  const text = textOf(example);
  const tries = [`${text}x`, `x${text}`, text.replace("https:", "http:")];
  const found = tries.find((candidate) => !pattern.test(candidate));
  if (found === undefined) throw new Error(`the suite has no text that doesn't match ${pattern}`);
  return found;
};

/** A number with this many decimal places that is exact in binary: 1.125 has three. */
const withDecimals = (places: number) => () => 1 + 2 ** -places;

const withoutZone = (ms: number) => isoInstant(ms).replace(/Z$/, "");

type Made = Omit<Bound, "field">;
type Maker = (demanded: unknown, field: Field) => Made | readonly Made[];

/** The bounds of each format. A time may also be invalid only by a missing offset. */
const formats: Readonly<Record<string, readonly Made[]>> = {
  "date-time": [
    { rule: "zone", illegal: side("without a time zone", (_, now) => withoutZone(now + HOUR_MS)) },
    { rule: "format", illegal: side("that isn't a time", () => "yarın akşam") },
  ],
  uri: [{ rule: "format", illegal: side("that isn't a URL", () => "adres yok") }],
  uuid: [{ rule: "format", illegal: side("that isn't a UUID", () => "1234") }],
};

/** The bounds of each keyword. */
const makers: Readonly<Record<string, Maker>> = {
  type: (_, { types }) => ({ rule: "type", illegal: ofOtherType(types) }),
  const: (demanded) => ({ rule: "const", illegal: side(`other than ${textOf(demanded)}`, () => "other") }),
  minLength: (demanded) => {
    const least = numberOf(demanded);
    return {
      rule: "minLength",
      legal: side(`of ${least} characters`, stretched(least)),
      illegal: side(`of ${least - 1} characters`, stretched(least - 1)),
    };
  },
  maxLength: (demanded) => {
    const most = numberOf(demanded);
    return {
      rule: "maxLength",
      legal: side(`of ${most} characters`, stretched(most)),
      illegal: side(`of ${most + 1} characters`, stretched(most + 1)),
    };
  },
  pattern: (demanded) => ({
    rule: "pattern",
    illegal: side(`that doesn't match ${textOf(demanded)}`, mismatched(new RegExp(textOf(demanded), "u"))),
  }),
  minimum: (demanded) => {
    const least = numberOf(demanded);
    return {
      rule: "minimum",
      legal: side(`of ${least}`, () => least),
      illegal: side(`of ${least - 1}`, () => least - 1),
    };
  },
  maximum: (demanded) => {
    const most = numberOf(demanded);
    return {
      rule: "maximum",
      legal: side(`of ${most}`, () => most),
      illegal: side(`of ${most + 1}`, () => most + 1),
    };
  },
  maxItems: (demanded) => {
    const most = numberOf(demanded);
    return {
      rule: "maxItems",
      legal: side(`with ${most} entries`, repeated(most)),
      illegal: side(`with ${most + 1} entries`, repeated(most + 1)),
    };
  },
  format: (demanded) => {
    const made = formats[textOf(demanded)];
    if (!made) throw new Error(`the suite tests no bound for the format ${textOf(demanded)}`);
    return made;
  },
  "x-max-decimals": (demanded) => {
    const most = numberOf(demanded);
    return [
      {
        rule: "decimals",
        legal: side(`with ${most} decimal places`, withDecimals(most)),
        illegal: side(`with ${most + 1} decimal places`, withDecimals(most + 1)),
      },
      // Invalid, although no digit follows a decimal point.
      { rule: "exponent", illegal: side("of 1e-7, which has seven decimal places", () => 1e-7) },
    ];
  },
  // Both values keep a distance from the bound, because the exact length of "7 days" is unspecified
  // (OPEN-128).
  "x-max-ahead": (demanded) => {
    const days = Number(/^P(\d+)D$/.exec(textOf(demanded))?.[1]);
    return {
      rule: "ahead",
      legal: side(`an hour less than ${days} days ahead`, (_, now) =>
        isoInstant(now + days * DAY_MS - HOUR_MS),
      ),
      illegal: side(`a day more than ${days} days ahead`, (_, now) => isoInstant(now + (days + 1) * DAY_MS)),
    };
  },
};

/** Keywords without a constraint of their own, or with one that other fields' bounds cover. */
const NO_DEMAND = ["description", "examples", "default", "x-open-point", "properties", "items", "required"];

function boundsOn(field: Field): readonly Bound[] {
  const bounds: Bound[] = [];
  const nullable = field.types.includes("null");
  if (field.required) {
    bounds.push({ field, rule: "required", illegal: side("that is missing", () => undefined) });
  }
  // Null for an optional value is unspecified (OPEN-125). For a required value it is as invalid as a missing
  // one.
  if (field.required && !nullable) {
    bounds.push({ field, rule: "non-null", illegal: side("that is null", () => null) });
  }
  if (nullable) bounds.push({ field, rule: "null", legal: side("that is null", () => null) });
  for (const [keyword, demanded] of Object.entries(field.schema)) {
    if (NO_DEMAND.includes(keyword)) continue;
    const maker = makers[keyword];
    if (!maker)
      throw new Error(`the suite tests no bound for ${keyword}, which the document has on ${field.name}`);
    for (const made of [maker(demanded, field)].flat()) bounds.push({ field, ...made });
  }
  return bounds;
}

/** All bounds of an operation's body in the document. An unknown keyword is an error. */
export const boundsOf = (id: OperationId): readonly Bound[] => fieldsOf(id).flatMap(boundsOn);

/** True for bounds that path, query and header values can't violate, because they are always text. */
const isOfText = ({ rule, field }: Bound) =>
  rule === "non-null" || (rule === "type" && field.types.includes("string"));

/** All bounds of an operation's path, query and header parameters in the document. */
export const parameterBoundsOf = (id: OperationId): readonly Bound[] =>
  parametersOf(id)
    .flatMap(boundsOn)
    .filter((bound) => !isOfText(bound));
