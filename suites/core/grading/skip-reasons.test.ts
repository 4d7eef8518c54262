import { expect, test } from "vitest";
import { groupByReason, reasonText, type SkipReason } from "./skip-reasons.ts";

/** The report lines for checks skipped for these reasons, with the count of checks. */
const linesFor = (reasons: readonly (SkipReason | string)[]) =>
  [
    ...groupByReason(
      reasons.map((reason) => (typeof reason === "string" ? { message: reason } : { skip: reason })),
    ),
  ].map(([reason, some]) => [some.length, reason]);

const needsWait = (seconds: number): SkipReason => ({ kind: "wait needed", seconds });

test("different waits share one line, which suggests values of up to two days", () => {
  const waits = [11, 22, 22, 420, 7_000, 172_800, 3_456_000];
  expect(linesFor([...waits.map(needsWait), "something else is missing"])).toEqual([
    [
      7,
      "the target's clock can't be advanced, and time has to pass: --max-wait 22s allows 3 of these, --max-wait 7m allows 4, --max-wait 117m allows 5, --max-wait 48h allows 6; 1 would take longer than two days, and need a clock that can be advanced",
    ],
    [1, "something else is missing"],
  ]);
});

test("for similar waits, one value is suggested", () => {
  expect(linesFor([300, 420].map(needsWait))).toEqual([
    [2, "the target's clock can't be advanced, and time has to pass: --max-wait 7m allows all of these"],
  ]);
});

test("a wait of weeks is never suggested", () => {
  expect(linesFor([3_456_000, 3_456_000].map(needsWait))).toEqual([
    [
      2,
      "the target's clock can't be advanced, and time has to pass: these would take longer than two days, and need a clock that can be advanced",
    ],
  ]);
});

test("refused pairing codes are listed by position, each once", () => {
  const refused = [12, 2, 2, 3].map(
    (place) => ({ kind: "codes refused", codes: [{ place, of: 15, code: "ESLEME_KODU_GECERSIZ" }] }) as const,
  );
  expect(refused.map(reasonText)[0]).toBe(
    "the 12th of 15 pairing codes was refused (ESLEME_KODU_GECERSIZ): used up, expired or mistyped?",
  );
  expect(linesFor(refused)).toEqual([
    [
      4,
      "the 2nd, 3rd and 12th of 15 pairing codes were refused (ESLEME_KODU_GECERSIZ): used up, expired or mistyped?",
    ],
  ]);
});

test("failures that couldn't be repeated in time share one line", () => {
  const outOfTime: readonly SkipReason[] = [{ kind: "out of time" }, { kind: "out of time" }];
  expect(linesFor(outOfTime)).toEqual([
    [2, "failed, and not confirmed: confirming other failures used up the time for it"],
  ]);
});
