import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file atomically: to a temporary file next to it, then renamed. Replaces an existing file.
 * @param mode the permissions. Defaults to the system's
 * @throws an error with the system's code
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
