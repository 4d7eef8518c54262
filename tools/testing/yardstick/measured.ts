import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeWhole } from "../../whole-file.ts";

/** A subject's results by check id, and its figures by name. */
export type Measured = Readonly<Record<string, string>>;

/** Measurements by subject. */
export type Measurements = Readonly<Record<string, Measured>>;

const FILE = fileURLToPath(new URL("yardstick.jsonl", import.meta.url));

/** Reads the recorded measurements, one subject per line. */
export function readMeasurements(): Measurements {
  if (!existsSync(FILE)) return {};
  const lines = readFileSync(FILE, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line): [string, Measured] => JSON.parse(line)));
}

/** Writes measurements, and keeps the recorded ones of other subjects in `names`. */
export function writeMeasurements(measured: Measurements, names: readonly string[]): void {
  const all = { ...readMeasurements(), ...measured };
  const lines = Object.entries(all)
    .filter(([name]) => names.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((entry) => JSON.stringify(entry));
  writeWhole(FILE, `${lines.join("\n")}\n`);
}
