import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { JUDGEMENT } from "./judgement.ts";

interface Step {
  readonly method: string;
  readonly path: string;
  /** Seconds since 1970. */
  readonly began?: number;
  /** Steps of one spell were under way while others were. */
  readonly spell?: number;
  readonly json: object;
}

const ONE = "0b0e7f0e-5a54-4bd5-9d9a-3b1a0a5a2f10";
const OTHER = "ffffffff-5a54-4bd5-9d9a-3b1a0a5a2f10";
const BEGAN = Date.UTC(2030, 4, 1) / 1000;
const at = (milliseconds: number) => new Date(Date.UTC(2030, 4, 1) + milliseconds).toISOString();

const patched = (id: string, updated_at: string, after = 0): Step => ({
  method: "PATCH",
  began: BEGAN + after,
  path: `/v1/deliveries/${id}`,
  json: { id, updated_at },
});
const opened = (id: string, notes: string, spell: number): Step => ({
  method: "POST",
  path: "/v1/deliveries",
  spell,
  json: { id, notes },
});
const listed = (...items: readonly object[]): Step => ({
  method: "GET",
  path: "/v1/deliveries",
  json: { items },
});

/** What a script says where its calls are answered so, and where the run's were. */
function judgementOn(run: readonly Step[], now: readonly Step[]): string {
  const calls = run.map((step, index) => ({
    ...{ n: `${index + 1}`, began: BEGAN, status: 200, headers: {}, group: index, spell: -index },
    ...step,
  }));
  const answers = now.flatMap(({ json }, index) => [
    ["--arg", `status_${index + 1}`, `200 100 ${BEGAN}`],
    ["--arg", `headers_${index + 1}`, "HTTP/1.1 200 OK"],
    ["--arg", `body_${index + 1}`, JSON.stringify(json)],
  ]);
  const words = ["--arg", "blind", "", "--arg", "veiled", "", "--argjson", "run", JSON.stringify(calls)];
  return execFileSync("jq", ["-nr", ...words, ...answers.flat(), JUDGEMENT], { encoding: "utf8" }).trim();
}

test("two records that were changed in one instant by chance are changed in two the next time", () => {
  const run = [patched(ONE, at(5)), patched(OTHER, at(5))];
  const now = [patched(ONE, at(5)), patched(OTHER, at(40))];
  expect(judgementOn(run, now)).toMatch(/^REPEATED: /);
  expect(judgementOn(now, run)).toMatch(/^REPEATED: /);
});

test("one record that keeps its time in the run, and gets another one now, can't be told", () => {
  const kept = [patched(ONE, at(5)), patched(ONE, at(5), 1)];
  const changed = [patched(ONE, at(5)), patched(ONE, at(1005), 1)];
  for (const [run, now] of [
    [kept, changed],
    [changed, kept],
  ] as const) {
    expect(judgementOn(run, now)).toBe(
      `CAN'T BE TOLD HERE: call 2 (PATCH /v1/deliveries/…) has the same time as before in .updated_at, in the run another one, or the other way round`,
    );
  }
});

test("one record that was changed twice in one millisecond by chance is changed in two the next time", () => {
  const run = [patched(ONE, at(5)), patched(ONE, at(5), 0.004)];
  const now = [patched(ONE, at(5)), patched(ONE, at(40), 0.035)];
  expect(judgementOn(run, now)).toMatch(/^REPEATED: /);
});

test("records that were made side by side may stand in any order of a list, those made one after the other may not", () => {
  const [one, other] = [
    { id: ONE, notes: "one" },
    { id: OTHER, notes: "other" },
  ];
  const runOf = (spells: readonly [number, number], ...items: readonly object[]) => [
    opened(ONE, "one", spells[0]),
    opened(OTHER, "other", spells[1]),
    listed(...items),
  ];
  expect(judgementOn(runOf([1, 1], one, other), runOf([1, 1], other, one))).toMatch(/^REPEATED: /);
  expect(judgementOn(runOf([1, 1], one), runOf([1, 1], other))).toMatch(/^REPEATED: /);
  expect(judgementOn(runOf([1, 2], one, other), runOf([1, 2], other, one))).toMatch(
    /^NOT REPEATED: call 3 \(GET \/v1\/deliveries\) has another one in \.items\[0\]\.id/,
  );
  expect(judgementOn(runOf([1, 1], one, other), runOf([1, 1], one))).toMatch(
    /^NOT REPEATED: call 3 .* has 1 entries in \.items, in the run 2/,
  );
});
