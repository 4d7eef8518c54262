import { expect, test } from "vitest";
import { measuredRounds, withRounds } from "./rounds.ts";

const ended = (id: string, duration_ms: number, status = "passed") => ({ id, duration_ms, status });

test("a check is as long as it was in the middle of the runs in which it passed, in answers", () => {
  const runs = [
    [ended("a", 1000), ended("b", 3000), ended("short", 200)],
    [ended("a", 1440), ended("b", 90_000, "failed"), ended("short", 210)],
    [ended("a", 9000), ended("b", 3100), ended("short", 5000)],
  ];
  expect(Object.entries(measuredRounds(runs, 100, {}))).toEqual([
    ["b", 31],
    ["a", 14],
  ]);
});

test("what it waits for besides answers is no part of it", () => {
  const runs = [[ended("retries.late-silence", 5000)]];
  expect(measuredRounds(runs, 100, {})).toEqual({ "retries.late-silence": 20 });
});

test("of one that passed in none of them what was known still holds", () => {
  expect(measuredRounds([[ended("a", 5000, "failed"), ended("b", 700)]], 100, { a: 20, b: 40 })).toEqual({
    a: 20,
    b: 7,
  });
});

test("they are written instead of those that stood there", () => {
  const text = '/** Why. */\nexport const ROUNDS: Readonly<Record<string, number>> = {\n  "a.one": 9,\n};\n';
  expect(withRounds(text, { "b.two": 8, "c.three": 6 })).toBe(
    '/** Why. */\nexport const ROUNDS: Readonly<Record<string, number>> = {\n  "b.two": 8,\n  "c.three": 6,\n};\n',
  );
});
