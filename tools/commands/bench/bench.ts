import { matchesGlob } from "node:path";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface BenchFlags {
  only?: string[];
  rounds?: string;
  scale?: string;
  json?: boolean;
}

const DEFAULT_ROUNDS = 7;

/**
 * Measures the performance targets, and prints each figure next to its target.
 * @returns 0 even if targets are missed: figures are no verdict
 */
export async function bench(
  flags: BenchFlags,
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const { benchRows, measure } = await import("./measure.ts");
  const { heading, lines, machine } = await import("./table.ts");
  const ids = benchRows.map(({ id }) => id);
  const unknown = flags.only?.find((pattern) => !ids.some((id) => matchesGlob(id, pattern)));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown} names no row; there are ${ids.join(", ")}`);
  const rows = benchRows.filter(({ id }) => flags.only?.some((pattern) => matchesGlob(id, pattern)) ?? true);
  const settings = {
    rounds: numberFrom("rounds", flags.rounds, DEFAULT_ROUNDS, 1, 1000),
    scale: numberFrom("scale", flags.scale, 1, 0.000_001, 1),
    postgresUrl: environment.BENCH_POSTGRES_URL,
  };
  if (flags.json) {
    const measured = await measure(rows, settings, () => {});
    output.result(
      JSON.stringify({ machine: machine(), rounds: settings.rounds, rows: measured }, undefined, 2),
    );
    return 0;
  }
  output.result(heading());
  await measure(rows, settings, (measured) => output.result(lines(measured)));
  return 0;
}

function numberFrom(
  flag: string,
  text: string | undefined,
  otherwise: number,
  min: number,
  max: number,
): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag} takes a number from ${min} to ${max}, not ${text}`);
}
