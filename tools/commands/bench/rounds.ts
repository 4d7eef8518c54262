/** How long checks are, as the package keeps it for the order of a run. */
import { readFileSync, writeFileSync } from "node:fs";
import { experiments } from "../../../suites/server/checks/index.ts";
import { waitsAnywayMs } from "../../../suites/server/rounds/rounds.ts";
import { spreadOf } from "./spread.ts";

const file = new URL("../../../suites/server/rounds/check-rounds.ts", import.meta.url);

/** A check that waits for fewer answers one after the other is a short one, and not kept. */
const FEWEST = 6;

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly duration_ms: number;
}

const WAITS_MS = new Map(experiments.map((check) => [check.id, waitsAnywayMs(check)]));

/**
 * How many answers each longer check waited for one after the other, by its id, the longest first: in the middle of
 * these runs, of those in which it passed.
 * @param latencyMs what one answer took
 * @param before what holds of a check that passed in none of them
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

/** The text of the file with these lengths in place of those that it has. */
export function withRounds(text: string, rounds: Readonly<Record<string, number>>): string {
  const lines = Object.entries(rounds).map(([id, count]) => `  ${JSON.stringify(id)}: ${count},`);
  return text.replace(/= \{\n[^}]*\};/, () => `= {\n${lines.join("\n")}\n};`);
}

/** Writes them into the source, from where the package takes them. */
export function keepRounds(rounds: Readonly<Record<string, number>>): void {
  writeFileSync(file, withRounds(readFileSync(file, "utf8"), rounds));
}
