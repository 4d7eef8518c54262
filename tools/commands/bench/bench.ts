import { mkdtempDisposableSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join, matchesGlob } from "node:path";
import { VERSION } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { type Figure, type Measurement, median } from "./measurement.ts";
import { listPageMeasurement, servingMeasurement } from "./serving.ts";
import { conformMeasurement, remoteMeasurement } from "./whole-runs.ts";

export interface BenchFlags {
  only?: string[];
  iterations?: string;
  /** The fraction of the full load, for tests. */
  scale?: string;
}

export const measurements: readonly Measurement[] = [
  conformMeasurement,
  remoteMeasurement,
  servingMeasurement,
  listPageMeasurement,
];

const DEFAULT_ITERATIONS = 7;

/**
 * Runs the measurements one after another, and prints each figure with its target.
 * @returns the exit code: 0 even if a target is missed
 */
export async function bench({ only, iterations, scale }: BenchFlags, output: Output): Promise<number> {
  const ids = measurements.map(({ id }) => id);
  const unknown = only?.find((pattern) => !ids.some((id) => matchesGlob(id, pattern)));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown} isn't a measurement; the measurements are ${ids.join(", ")}`);
  const settings = {
    iterations: numberFrom("iterations", iterations, DEFAULT_ITERATIONS, 1, 1000),
    scale: numberFrom("scale", scale, 1, 0.000_001, 1),
  };
  output.result(heading());
  for (const { id, run } of measurements) {
    if (only && !only.some((pattern) => matchesGlob(id, pattern))) continue;
    using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
    output.result(figureLines(await run({ ...settings, folder: folder.path })));
  }
  return 0;
}

function numberFrom(
  flag: string,
  text: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag} takes a number from ${min} to ${max}, not ${text}`);
}

function heading(): string {
  const cores = cpus();
  const machine = `${cores.length} × ${cores[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `courier-conform ${VERSION}, Node ${process.version}, ${machine}\n${line("", ["min", "median", "max"])}`;
}

export function figureLines(figures: readonly Figure[]): string {
  return figures
    .map(({ title, unit, values, target: [relation, bound], detail }) => {
      const middle = median(values);
      const isMet = relation === "at least" ? middle >= bound : middle <= bound;
      const numbers = [Math.min(...values), middle, Math.max(...values)].map(rounded);
      return `${line(title, numbers)} ${unit}, ${relation} ${bound}: ${isMet ? "met" : "MISSED"}  (${detail})`;
    })
    .join("\n");
}

const line = (title: string, numbers: readonly string[]): string =>
  title.padEnd(30) + numbers.map((number) => number.padStart(9)).join("");

const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
