import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file that is there whole or not at all: beside its place first, and renamed. What was there is replaced.
 * @param mode who may read it; by the system's own rule where nothing is said
 * @throws with the system's code
 */
export function writeWhole(file: string, text: string, mode = 0o666): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { flag: "wx", mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
