/** The fuzzer's choice among valid values: short and longest texts, any number, times around now. */
import fc from "fast-check";
import type { Schema } from "../../../suites/core/contract/api-document.ts";
import { numberOr, type ValueChoices } from "../../../suites/core/contract/values.ts";
import { InstantFromNow } from "./known.ts";

const DAY_MS = 86_400_000;
const FINITE = { min: -1e9, max: 1e9 };

/** Times around now, and the earliest and latest representable ones. */
const instants = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.integer({ min: -DAY_MS, max: 6 * DAY_MS }), fc.integer({ min: -11, max: 13 }))
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

/** Includes the shortest and the longest allowed text. */
function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<unknown> {
  const min = numberOr(minLength, 0);
  const max = numberOr(maxLength, 60);
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return instants;
  if (typeof pattern === "string") {
    return fc.stringMatching(new RegExp(pattern)).filter((it) => it.length >= min && it.length <= max);
  }
  const lengths = { minLength: min, maxLength: Math.min(max, min + 12) };
  return fc.oneof(
    { weight: 6, arbitrary: fc.string(lengths) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", ...lengths }) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(max), "x".repeat(min)) },
  );
}

/** @param member the generators of the members whose schemas alone would produce useless values */
export const choicesWith = (member: ValueChoices["member"]): ValueChoices => ({
  member,
  text,
  number: ({ minimum, maximum }) =>
    fc.oneof(
      fc.integer({ min: numberOr(minimum, -1000), max: numberOr(maximum, 1000) }),
      fc.double({ noNaN: true, ...FINITE }),
    ),
  entries: { minLength: 0, maxLength: 4 },
});
