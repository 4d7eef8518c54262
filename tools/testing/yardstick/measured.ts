import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeWhole } from "../../whole-file.ts";

/** What was seen of a subject: by check how it ended, or by another word a figure. */
export type Measured = Readonly<Record<string, string>>;

/** By name of the subject. */
export type Measurements = Readonly<Record<string, Measured>>;

const FILE = fileURLToPath(new URL("yardstick.jsonl", import.meta.url));

/** What the suite did when the file was written, a line for each subject. */
export function readMeasurements(): Measurements {
  if (!existsSync(FILE)) return {};
  const lines = readFileSync(FILE, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line): [string, Measured] => JSON.parse(line)));
}

/** Writes what was measured; of the others of these names the file keeps what it says. */
export function writeMeasurements(measured: Measurements, names: readonly string[]): void {
  const all = { ...readMeasurements(), ...measured };
  const lines = Object.entries(all)
    .filter(([name]) => names.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((entry) => JSON.stringify(entry));
  writeWhole(FILE, `${lines.join("\n")}\n`);
}
