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

/** A value on one side of a bound, in words that follow the field's name: `of 40 characters`. */
interface Side {
  readonly words: string;
  /**
   * @param example a legal value of the field
   * @param now the integrator's time, in milliseconds since 1970
   * @returns undefined for a body without the field
   */
  value(example: unknown, now: number): unknown;
}

/** One demand of the document on one field: the last value that meets it, and the first that doesn't. */
export interface Bound {
  readonly field: Field;
  readonly rule: Rule;
  /** Undefined where any legal value will do. */
  readonly legal?: Side;
  /** Undefined if the bound only allows values. */
  readonly illegal?: Side;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const side = (words: string, value: Side["value"]): Side => ({ words, value });

/**
 * The example, made as long as this: identifiers stay unique, digits stay digits, and texts of several words get letters
 * that are no bytes.
 */
const stretched = (length: number) => (example: unknown) => {
  const text = textOf(example);
  return text.padEnd(length, text.includes(" ") ? "ğ" : "0").slice(0, length);
};

const repeated = (length: number) => (example: unknown) =>
  Array.from({ length }, () => (Array.isArray(example) ? example[0] : example));

/** Something that no lenient reading takes for a value of these types. */
function stranger(types: readonly string[]): Side {
  if (types.includes("string")) return side("that is an object", () => ({ wrong: true }));
  if (types.includes("array")) return side("that is a number", () => 5);
  if (types.includes("integer")) return side("that is a fraction", () => 1.5);
  return side("that is a word", () => "wrong");
}

/** Something else that the pattern doesn't match: the example, with as little changed as possible. */
const mismatched = (pattern: RegExp) => (example: unknown) => {
  const text = textOf(example);
  const tries = [`${text}x`, `x${text}`, text.replace("https:", "http:")];
  const found = tries.find((candidate) => !pattern.test(candidate));
  if (found === undefined) throw new Error(`no text is known that ${pattern} doesn't match`);
  return found;
};

/** A number with this many decimal places that binary represents exactly: 1.125 has three. */
const withDecimals = (places: number) => () => 1 + 2 ** -places;

const withoutZone = (ms: number) => isoInstant(ms).replace(/Z$/, "");

type Made = Omit<Bound, "field">;
type Maker = (demanded: unknown, field: Field) => Made | readonly Made[];

/** How the formats of the document become bounds: a time may also lack nothing but its zone. */
const formats: Readonly<Record<string, readonly Made[]>> = {
  "date-time": [
    { rule: "zone", illegal: side("without a time zone", (_, now) => withoutZone(now + HOUR_MS)) },
    { rule: "format", illegal: side("that is no time", () => "yarın akşam") },
  ],
  uri: [{ rule: "format", illegal: side("that is no URL", () => "adres yok") }],
  uuid: [{ rule: "format", illegal: side("that is no UUID", () => "1234") }],
};

/** How each keyword of the document becomes a bound, or several. */
const makers: Readonly<Record<string, Maker>> = {
  type: (_, { types }) => ({ rule: "type", illegal: stranger(types) }),
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
    if (!made) throw new Error(`no bound is made of the format ${textOf(demanded)}`);
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
      // A server that counts the digits after a decimal point finds none.
      { rule: "exponent", illegal: side("of 1e-7, which has seven decimal places", () => 1e-7) },
    ];
  },
  // Both values stay away from the edge: the exact length of "7 days" is open (OPEN-128).
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

/** Keywords that demand nothing of a value, or that other fields' bounds come from. */
const NO_DEMAND = ["description", "examples", "default", "x-open-point", "properties", "items", "required"];

function boundsOn(field: Field): readonly Bound[] {
  const bounds: Bound[] = [];
  const nullable = field.types.includes("null");
  if (field.required) {
    bounds.push({ field, rule: "required", illegal: side("that is missing", () => undefined) });
  }
  // Null for an optional value is open (OPEN-125). For a required value it is as invalid as an absent one.
  if (field.required && !nullable) {
    bounds.push({ field, rule: "non-null", illegal: side("that is null", () => null) });
  }
  if (nullable) bounds.push({ field, rule: "null", legal: side("that is null", () => null) });
  for (const [keyword, demanded] of Object.entries(field.schema)) {
    if (NO_DEMAND.includes(keyword)) continue;
    const maker = makers[keyword];
    if (!maker) throw new Error(`no bound is made of ${keyword}, which the document has on ${field.name}`);
    for (const made of [maker(demanded, field)].flat()) bounds.push({ field, ...made });
  }
  return bounds;
}

/** All bounds that the document sets on an operation's body. An unknown keyword in the document is an error. */
export const boundsOf = (id: OperationId): readonly Bound[] => fieldsOf(id).flatMap(boundsOn);

/** True for bounds that a path, query or header can't break, since its values are text. */
const isOfText = ({ rule, field }: Bound) =>
  rule === "non-null" || (rule === "type" && field.types.includes("string"));

/** All bounds that the document sets on an operation's path, query and headers. */
export const parameterBoundsOf = (id: OperationId): readonly Bound[] =>
  parametersOf(id)
    .flatMap(boundsOn)
    .filter((bound) => !isOfText(bound));
