import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file atomically: to a temporary file next to it, then renamed. Replaces an existing file.
 * @param mode the file's permissions, before the process's umask
 * @throws the system's error, with its `code`
 */
export function writeFileAtomically(file: string, text: string, mode = 0o666): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { flag: "wx", mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
