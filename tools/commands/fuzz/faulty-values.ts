/** Values that a request shouldn't have: ones that break programs, and bodies with one fault. */
import fc from "fast-check";
import { isObject } from "../../../suites/core/json.ts";
import { valueAt } from "../../../suites/core/text/member-paths.ts";
import type { Bound } from "../../../suites/server/checks/bounds/bounds.ts";
import { type Field, withValue } from "../../../suites/server/checks/bounds/fields.ts";

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

const faults = fc.record({
  where: fc.nat(),
  what: fc.constantFrom("replace", "replace", "replace", "remove", "add"),
  value: wild,
  name: fc.constantFrom("x", "__proto__", "id", "status", "version", ""),
});

/**
 * Bodies with one fault: a value beyond one of the document's bounds, or a member that is replaced, removed or added.
 */
export function nearlyFitting(fits: fc.Arbitrary<unknown>, bounds: readonly Bound[]): fc.Arbitrary<unknown> {
  const random = fc.tuple(fits, faults).map(([body, { where, what, value, name }]) => {
    const places = placesIn(body, []);
    const place = places[where % places.length] ?? [];
    if (what !== "add") return withFault(body, place, what === "remove" ? undefined : value);
    return withFault(body, isPlain(valueAt(body, place)) ? [...place, name] : place, value);
  });
  if (bounds.length === 0) return random;
  const beyond = fc
    .tuple(fits, fc.constantFrom(...bounds))
    .map(([body, { field, illegal }]) =>
      withFault(body, field.path, illegal?.value(valueAt(body, field.path) ?? "", Date.now())),
    );
  return fc.oneof({ weight: 4, arbitrary: random }, { weight: 1, arbitrary: beyond });
}

const withFault = (body: unknown, place: Field["path"], value: unknown): unknown =>
  isObject(body) ? withValue({ ...body }, place, value) : value;

function placesIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  const members = Array.isArray(value) || isPlain(value) ? Object.entries(Object(value)) : [];
  return [path, ...members.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

/** True for an object that JSON.parse could return, not an instance of a class. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [null, Object.prototype].includes(Object.getPrototypeOf(value));
}
