import { describe, expect, test } from "vitest";
import { benchRows, measure } from "./measure.ts";
import { isMet } from "./row.ts";
import { interleaved, spreadOf } from "./spread.ts";
import { lines } from "./table.ts";

const tiny = { rounds: 1, scale: 0.002, postgresUrl: undefined };

/** What is tried elsewhere, or differs from a row that is tried by a number alone. */
const LEFT_OUT: readonly string[] = ["mutants", "far"];

test.each(benchRows.filter(({ id }) => !LEFT_OUT.includes(id)))(
  "$id is measured",
  async (row) => {
    const [measured] = await measure([row], tiny, () => {});
    expect(measured?.row).toBe(row.id);
    const said = [measured?.missing, ...(measured?.figures.map(({ spread }) => spread.median) ?? [])];
    expect(said.filter((it) => it !== undefined)).not.toEqual([]);
    expect(said.filter((it) => Number.isNaN(it))).toEqual([]);
  },
  180_000,
);

describe("figures", () => {
  test("are the least, the middle and the most of several", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4 });
  });

  test("are compared turn by turn, and who goes first changes", async () => {
    const turns: string[] = [];
    const taker = (name: string, values: number[]) => async () => {
      turns.push(name);
      return values.shift() ?? 0;
    };
    const { ratio } = await interleaved(3, taker("a", [1, 2, 4]), taker("b", [2, 2, 2]));
    expect(turns.join("")).toBe("abbaab");
    expect(ratio).toEqual({ min: 0.5, median: 1, max: 2 });
  });

  test.each([
    ["at least", 2, 2, true],
    ["at least", 2, 1.9, false],
    ["under", 2, 2, false],
    ["under", 2, 1.9, true],
    ["at most", 2, 2, true],
    ["at most", 2, 2.1, false],
  ] as const)("%s %d: %d is met: %s", (is, value, median, met) => {
    expect(isMet({ is, value }, median)).toBe(met);
  });

  test("are shown beside their targets, or why there are none", () => {
    const spread = { min: 0.1, median: 0.2, max: 0.3 };
    const target = { is: "at least", value: 0.35 } as const;
    const figures = [{ title: "creating", unit: "of bare", spread, target, detail: "2 against 10" }];
    expect(lines({ row: "serving", how: "so", figures, missing: undefined })).toMatch(
      /0\.20.*at least 0\.35.*MISSED/,
    );
    expect(lines({ row: "postgres", how: "so", figures: [], missing: "no database" })).toContain(
      "not measured",
    );
  });
});
