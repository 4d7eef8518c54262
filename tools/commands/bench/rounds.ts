/** The lengths of checks, which the package stores to order a run. */
import { readFileSync, writeFileSync } from "node:fs";
import { experiments } from "../../../suites/server/checks/index.ts";
import { waitsAnywayMs } from "../../../suites/server/rounds/rounds.ts";
import { spreadOf } from "./spread.ts";

const file = new URL("../../../suites/server/rounds/check-rounds.ts", import.meta.url);

/** Checks with fewer sequential responses are short and aren't stored. */
const FEWEST = 6;

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly duration_ms: number;
}

const WAITS_MS = new Map(experiments.map((check) => [check.id, waitsAnywayMs(check)]));

/**
 * The number of sequential responses of each longer check, by id, longest first: the median of the runs in which it
 * passed.
 * @param latencyMs the latency of one response
 * @param before the stored lengths, for checks that passed in none of the runs
 */
export function measuredRounds(
  runs: readonly (readonly Ended[])[],
  latencyMs: number,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const passed = runs.flat().filter(({ status }) => status === "passed");
  const byCheck = Map.groupBy(passed, ({ id }) => id);
  const measured = [...byCheck].map(([id, ended]) => {
    const waits = WAITS_MS.get(id) ?? 0;
    const { median } = spreadOf(ended.map(({ duration_ms }) => (duration_ms - waits) / latencyMs));
    return [id, Math.round(median)] as const;
  });
  const others = Object.entries(before).filter(([id]) => !byCheck.has(id));
  return Object.fromEntries(
    [...measured, ...others]
      .filter(([, count]) => count >= FEWEST)
      .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1)),
  );
}

/** Replaces the stored lengths in the text of the file. */
export function withRounds(text: string, rounds: Readonly<Record<string, number>>): string {
  const lines = Object.entries(rounds).map(([id, count]) => `  ${JSON.stringify(id)}: ${count},`);
  return text.replace(/= \{\n[^}]*\};/, () => `= {\n${lines.join("\n")}\n};`);
}

/** Writes the lengths into the source file that the package loads. */
export function keepRounds(rounds: Readonly<Record<string, number>>): void {
  writeFileSync(file, withRounds(readFileSync(file, "utf8"), rounds));
}
