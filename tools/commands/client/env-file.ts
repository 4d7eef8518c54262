import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { textOf } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import { writeFileAtomically } from "../../whole-file.ts";

type Variables = Readonly<Record<string, string>>;

/** A run writes no larger file, so larger ones aren't read. */
const MAX_BYTES = 10_000;

const namesIn = (text: string): string => text.replace(/=.*$/gm, "");
const linesOf = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** True if a run wrote the file, perhaps an earlier one that couldn't delete it: it contains only these names. */
function isOurs(file: string, variables: Variables): boolean {
  const found = lstatSync(file);
  if (!found.isFile() || found.size > MAX_BYTES) return false;
  return namesIn(readFileSync(file, "utf8")) === namesIn(linesOf(variables));
}

/**
 * Writes variables as NAME=value lines, readable by the owner only. The write is atomic, because a job may wait for the
 * file.
 * @throws UsageError if the file can't be written, or would replace someone else's file
 */
export function writeEnvFile(file: string, variables: Variables): void {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) && !isOurs(file, variables)) {
      throw new UsageError(`--env-file ${file} exists and wasn't written by this command: give another name`);
    }
    writeFileAtomically(file, linesOf(variables), 0o600);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "it can't be written";
    throw new UsageError(`--env-file ${file} can't be written (${code}): name a file in an existing folder`);
  }
}

/** Deletes the file if it still has the contents that a run wrote. */
export function removeEnvFile(file: string, variables: Variables): void {
  if (existsSync(file) && isOurs(file, variables)) rmSync(file);
}
