/** Generates values from a JSON schema: valid, with one fault, or unrelated to the schema. */
import fc from "fast-check";
import type { Schema } from "../../../suites/core/contract/api-document.ts";
import { isObject } from "../../../suites/core/json.ts";
import { InstantFromNow } from "./known.ts";

type Resolve = (node: unknown) => Schema;
/**
 * The generator for a field whose schema alone would produce useless values, by path
 * (`store.external_store_id`).
 */
export type Hints = (path: string) => fc.Arbitrary<unknown> | undefined;

const day = 86_400_000;

export function fitting(schema: Schema, resolve: Resolve, hints: Hints, path = ""): fc.Arbitrary<unknown> {
  const hint = hints(path);
  if (hint !== undefined) return hint;
  const it = resolve(schema);
  if ("const" in it) return fc.constant(it.const);
  if (Array.isArray(it.enum)) return fc.constantFrom(...it.enum);
  if (Array.isArray(it.anyOf))
    return oneOf(it.anyOf.map((each) => fitting(resolve(each), resolve, hints, path)));
  const types = [it.type].flat();
  return oneOf(types.map((type) => ofType(String(type), it, resolve, hints, path)));
}

function oneOf(arbitraries: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof(...arbitraries);
}

function ofType(
  type: string,
  schema: Schema,
  resolve: Resolve,
  hints: Hints,
  path: string,
): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer(bounds(schema));
    case "number":
      return fc.oneof(
        fc.integer({ min: -1000, max: 1000, ...bounds(schema) }),
        fc.double({ noNaN: true, ...finite }),
      );
    case "string":
      return text(schema);
    case "array": {
      const items = fitting(resolve(schema.items), resolve, hints, `${path}.*`);
      return fc.array(items, { maxLength: Math.min(numberOr(schema.maxItems, 4), 4) });
    }
    case "object":
      return object(schema, resolve, hints, path);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const finite = { min: -1e9, max: 1e9 };

function bounds({ minimum, maximum }: Schema): { min?: number; max?: number } {
  return {
    ...(typeof minimum === "number" && { min: minimum }),
    ...(typeof maximum === "number" && { max: maximum }),
  };
}

function object(schema: Schema, resolve: Resolve, hints: Hints, path: string): fc.Arbitrary<unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const members = Object.entries(properties).map(([name, member]) => {
    const below = path === "" ? name : `${path}.${name}`;
    return [name, fitting(isObject(member) ? member : {}, resolve, hints, below)] as const;
  });
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return fc.record(Object.fromEntries(members), { requiredKeys: required, noNullPrototype: true });
}

/** Includes the shortest and the longest allowed text. */
function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<unknown> {
  const min = numberOr(minLength, 0);
  const max = numberOr(maxLength, 60);
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return instants;
  if (typeof pattern === "string") {
    return fc.stringMatching(new RegExp(pattern)).filter((it) => it.length >= min && it.length <= max);
  }
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ minLength: min, maxLength: Math.min(max, min + 12) }) },
    {
      weight: 2,
      arbitrary: fc.string({ unit: "grapheme", minLength: min, maxLength: Math.min(max, min + 12) }),
    },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(max), "x".repeat(min)) },
  );
}

/** Times around now, and the earliest and latest representable ones. */
const instants = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.integer({ min: -day, max: 6 * day }), fc.integer({ min: -11, max: 13 }))
      .map(([ms, hours]) => new InstantFromNow(ms, hours)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "1970-01-01T00:00:00+00:00",
    ),
  },
);

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Values that often break programs. */
const nasty: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "0",
  "null",
  "\0",
  "\ud800",
  "‮x",
  "'; drop table deliveries; --",
  "../../etc/passwd",
  "x".repeat(5000),
  "👩🏽‍🍳".repeat(40),
  -1,
  -0,
  0.1 + 0.2,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  1e21,
  "2030-02-30T00:00:00Z",
  "2030-01-01T00:00:00",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-23:59",
  "0001-01-01T00:00:00+23:59",
  "+275760-09-13T00:00:00.001Z",
  [],
  {},
  [[[[[[]]]]]],
  JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1},"toString":0,"length":-1}'),
];

/** Strings of numbers that parsers disagree about, or read as infinite. */
const NUMERALS = [
  ...["Infinity", "-Infinity", "+Infinity", "infinity", "NaN", "-NaN", "1e999", "-1e999", "1e400", "1e-400"],
  ...["0x10", "0b11", "0o17", "010", "1_000", "1n", "+5", "-5", "-0", " 5", "5 ", "5\n", "5.", ".5", "5.0"],
  ...[
    "5,5",
    "5e",
    "e5",
    "1e1",
    "1e+1",
    "9007199254740993",
    "9223372036854775808",
    "4294967296",
    "2147483648",
  ],
  ...["٥", "５", "½", "∞", "", "null", "true", "5;6", "5&6", "--5", "0".repeat(400), "9".repeat(400)],
];

/** Strings that look like numbers. */
export const numerals: fc.Arbitrary<string> = fc.constantFrom(...NUMERALS);

export const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...nasty),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
);

type Fault = { where: number; what: "replace" | "remove" | "add"; value: unknown; name: string };

export function nearlyFitting(fits: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fault: fc.Arbitrary<Fault> = fc.record({
    where: fc.nat(),
    what: fc.constantFrom("replace", "replace", "replace", "remove", "add"),
    value: wild,
    name: fc.constantFrom("x", "__proto__", "id", "status", "version", ""),
  });
  return fc.tuple(fits, fault).map(([value, it]) => withFault(value, it));
}

function withFault(value: unknown, fault: Fault): unknown {
  const places = placesIn(value, []);
  const place = places[fault.where % places.length] ?? [];
  return changedAt(value, place, fault);
}

function placesIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  const members = Array.isArray(value) || isPlain(value) ? Object.entries(Object(value)) : [];
  return [path, ...members.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

function changedAt(value: unknown, [key, ...rest]: readonly string[], fault: Fault): unknown {
  if (key === undefined) {
    if (fault.what === "add" && isPlain(value)) return { ...value, [fault.name]: fault.value };
    return fault.value;
  }
  const remove = rest.length === 0 && fault.what === "remove";
  if (Array.isArray(value)) {
    return value.flatMap((member, index) => {
      if (String(index) !== key) return [member];
      return remove ? [] : [changedAt(member, rest, fault)];
    });
  }
  const { [key]: member, ...others } = isPlain(value) ? value : {};
  return remove ? others : { ...others, [key]: changedAt(member, rest, fault) };
}

/** True for an object that JSON.parse could return, not an instance of a class. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [null, Object.prototype].includes(Object.getPrototypeOf(value));
}
