/** The table of figures, and the machine that they are of. */
import { cpus, totalmem } from "node:os";
import { VERSION } from "../../package.ts";
import { type Figure, isMet } from "./row.ts";

export interface Measurement {
  readonly row: string;
  readonly how: string;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly missing: string | undefined;
}

export function machine(): { suite: string; node: string; cpus: number; cpu: string; memoryGiB: number } {
  const all = cpus();
  return {
    suite: VERSION,
    node: process.version,
    cpus: all.length,
    cpu: all[0]?.model ?? "unknown",
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

const columns = [26, 9, 9, 9, 14, 18] as const;

export function heading(): string {
  const { suite, node, cpus: count, cpu, memoryGiB } = machine();
  return [
    `courier-conform ${suite}, Node ${node}, ${count} × ${cpu}, ${memoryGiB} GiB`,
    line(["", "min", "median", "max", "", "target"]),
  ].join("\n");
}

/** Targets are held against the median. */
export function lines({ row, how, figures, missing }: Measurement): string {
  if (missing !== undefined) return `${line([row])}not measured: ${missing}\n    ${how}`;
  return [
    ...figures.map(({ title, spread, unit, target, detail }) => {
      const said = target === undefined ? "" : `${target.is} ${target.value}`;
      const met = target === undefined ? "" : isMet(target, spread.median) ? "met" : "MISSED";
      const numbers = [spread.min, spread.median, spread.max].map(shown);
      return `${line([title, ...numbers, ` ${unit}`, said])}${met}  (${detail})`;
    }),
    `    ${how}`,
  ].join("\n");
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = columns[index] ?? 0;
      return index >= 1 && index <= 3 ? cell.padStart(width) : cell.padEnd(width);
    })
    .join("");
}

function shown(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
}
