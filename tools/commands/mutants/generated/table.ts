/** Prints the results by folder. */
import { type Explanations, VERDICTS } from "./explanations.ts";
import type { Trial } from "./run.ts";

const ENDS = ["killed", "endless", "dead", "incomplete", ...VERDICTS, "unexplained"] as const;
type End = (typeof ENDS)[number];

/** The results that prevent a certification. */
const CAUGHT: readonly End[] = ["killed", "endless", "dead", "incomplete"];
/** The results that violate no clause. */
const EXPLAINED: readonly End[] = VERDICTS;

export const survives = ({ result: { kind } }: Trial): boolean => kind === "survived" || kind === "unreached";

export function endOf({ mutant, result }: Trial, explanations: Explanations): End {
  if (result.kind !== "survived" && result.kind !== "unreached") return result.kind;
  return explanations.of(mutant)?.verdict ?? "unexplained";
}

function row(name: string, ends: readonly End[]): readonly string[] {
  const count = (some: readonly End[]) => ends.filter((end) => some.includes(end)).length;
  const wrong = ends.length - count(EXPLAINED);
  const score = wrong === 0 ? "" : `${((100 * count(CAUGHT)) / wrong).toFixed(1)} %`;
  return [name, String(ends.length), ...ENDS.map((end) => String(count([end]))), score];
}

/**
 * A line for each folder, and a line for all folders. The score is the share of caught mutants among the mutants without an explanation.
 */
export function tableOf(trials: readonly Trial[], explanations: Explanations): readonly string[] {
  const folderOf = ({ mutant: { file } }: Trial) => file.slice(0, file.lastIndexOf("/")) || "(root)";
  const byFolder = Object.entries(Object.groupBy(trials, folderOf));
  const endsOf = (some: readonly Trial[]) => some.map((trial) => endOf(trial, explanations));
  const rows = [
    ["folder", "mutants", ...ENDS, "score"],
    ...byFolder.map(([folder, some = []]) => row(folder, endsOf(some))),
    ...(byFolder.length > 1 ? [row("all", endsOf(trials))] : []),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths?.[column] ?? 0) : cell.padStart(widths?.[column] ?? 0),
      )
      .join("  "),
  );
}
