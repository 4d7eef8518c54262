import { instant } from "../target/clock.ts";
import type { OperationId } from "../target/document.ts";
import { type Field, fieldsOf } from "./fields.ts";

export type Rule =
  | "required"
  | "type"
  | "null"
  | "maxLength"
  | "pattern"
  | "minimum"
  | "maximum"
  | "maxItems"
  | "zone"
  | "decimals"
  | "ahead";

/** A value on one side of a bound, in words that follow the field's name: `of 40 characters`. */
export interface Side {
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
  /** Undefined where the bound only allows something. */
  readonly illegal?: Side;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const side = (words: string, value: Side["value"]): Side => ({ words, value });

/** The example, made as long as this: identifiers stay unique, and digits stay digits. */
const stretched = (length: number) => (example: unknown) =>
  String(example).padEnd(length, "0").slice(0, length);

const repeated = (length: number) => (example: unknown) =>
  Array.from({ length }, () => (Array.isArray(example) ? example[0] : example));

/** Something that no lenient reading takes for a value of these types. */
function stranger(types: readonly string[]): Side {
  if (types.includes("string")) return side("that is an object", () => ({ wrong: true }));
  if (types.includes("integer")) return side("that is a fraction", () => 1.5);
  return side("that is a word", () => "wrong");
}

/** Something else that the pattern doesn't match: the example, with as little changed as possible. */
const mismatched = (pattern: RegExp) => (example: unknown) => {
  const text = String(example);
  const tries = [`${text}x`, `x${text}`, text.replace("https:", "http:")];
  const found = tries.find((candidate) => !pattern.test(candidate));
  if (found === undefined) throw new Error(`no text is known that ${pattern} doesn't match`);
  return found;
};

/** A number with exactly so many decimal places that is exact in binary too: 1.125 has three. */
const withDecimals = (places: number) => () => 1 + 2 ** -places;

const withoutZone = (ms: number) => instant(ms).replace(/Z$/, "");

type Maker = (demanded: unknown, field: Field) => Omit<Bound, "field"> | undefined;

/** How each keyword of the document becomes a bound. */
const makers: Readonly<Record<string, Maker>> = {
  type: (_, { types }) => ({ rule: "type", illegal: stranger(types) }),
  maxLength: (demanded) => {
    const most = Number(demanded);
    return {
      rule: "maxLength",
      legal: side(`of ${most} characters`, stretched(most)),
      illegal: side(`of ${most + 1} characters`, stretched(most + 1)),
    };
  },
  pattern: (demanded) => ({
    rule: "pattern",
    illegal: side(`that doesn't match ${demanded}`, mismatched(new RegExp(String(demanded), "u"))),
  }),
  minimum: (demanded) => {
    const least = Number(demanded);
    return {
      rule: "minimum",
      legal: side(`of ${least}`, () => least),
      illegal: side(`of ${least - 1}`, () => least - 1),
    };
  },
  maximum: (demanded) => {
    const most = Number(demanded);
    return {
      rule: "maximum",
      legal: side(`of ${most}`, () => most),
      illegal: side(`of ${most + 1}`, () => most + 1),
    };
  },
  maxItems: (demanded) => {
    const most = Number(demanded);
    return {
      rule: "maxItems",
      legal: side(`with ${most} entries`, repeated(most)),
      illegal: side(`with ${most + 1} entries`, repeated(most + 1)),
    };
  },
  format: (demanded) =>
    demanded === "date-time"
      ? {
          rule: "zone",
          illegal: side("without a time zone", (_, now) => withoutZone(now + HOUR_MS)),
        }
      : undefined,
  "x-max-decimals": (demanded) => {
    const most = Number(demanded);
    return {
      rule: "decimals",
      legal: side(`with ${most} decimal places`, withDecimals(most)),
      illegal: side(`with ${most + 1} decimal places`, withDecimals(most + 1)),
    };
  },
  // Neither side is at the very edge: what "7 days" is to the second is open (OPEN-128).
  "x-max-ahead": (demanded) => {
    const days = Number(/^P(\d+)D$/.exec(String(demanded))?.[1]);
    return {
      rule: "ahead",
      legal: side(`an hour less than ${days} days ahead`, (_, now) => instant(now + days * DAY_MS - HOUR_MS)),
      illegal: side(`a day more than ${days} days ahead`, (_, now) => instant(now + (days + 1) * DAY_MS)),
    };
  },
};

/** Keywords that demand nothing of a value, or that other fields' bounds come from. */
const NO_DEMAND = ["description", "examples", "default", "x-open-point", "properties", "items", "required"];

function boundsOn(field: Field): readonly Bound[] {
  const bounds: Bound[] = [];
  if (field.required) {
    bounds.push({ field, rule: "required", illegal: side("that is missing", () => undefined) });
  }
  if (field.types.includes("null")) {
    bounds.push({ field, rule: "null", legal: side("that is null", () => null) });
  }
  for (const [keyword, demanded] of Object.entries(field.schema)) {
    if (NO_DEMAND.includes(keyword)) continue;
    const maker = makers[keyword];
    if (!maker) throw new Error(`no bound is made of ${keyword}, which the document has on ${field.name}`);
    const made = maker(demanded, field);
    if (made) bounds.push({ field, ...made });
  }
  return bounds;
}

/** Every bound that the document puts on an operation's body. A keyword that is new to the document is an error. */
export const boundsOf = (id: OperationId): readonly Bound[] => fieldsOf(id).flatMap(boundsOn);
