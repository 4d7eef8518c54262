import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { UsageError } from "../../usage-error.ts";
import { writeWhole } from "../../whole-file.ts";

type Variables = Readonly<Record<string, string>>;

/** Larger files are none of ours, and aren't read. */
const MAX_BYTES = 10_000;

const namesIn = (text: string): string => text.replace(/=.*$/gm, "");
const textOf = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** Whether it was written by a run, perhaps an earlier one that had no time to delete it: it holds these names alone. */
function isOurs(file: string, variables: Variables): boolean {
  const found = lstatSync(file);
  if (!found.isFile() || found.size > MAX_BYTES) return false;
  return namesIn(readFileSync(file, "utf8")) === namesIn(textOf(variables));
}

/**
 * Writes variables as NAME=value lines, for nobody else to read. The file is there at once and whole: a job may wait
 * for it.
 * @throws UsageError where it can't be written, or would take the place of a file that is somebody else's
 */
export function writeEnvFile(file: string, variables: Variables): void {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) && !isOurs(file, variables)) {
      throw new UsageError(`--env-file ${file} is there already, and is none of ours: name a new one`);
    }
    writeWhole(file, textOf(variables), 0o600);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "it can't be written";
    throw new UsageError(
      `--env-file ${file} can't be written (${code}): name a file in a folder that is there`,
    );
  }
}

/** Deletes it, where it still is what a run has written. */
export function removeEnvFile(file: string, variables: Variables): void {
  if (existsSync(file) && isOurs(file, variables)) rmSync(file);
}
