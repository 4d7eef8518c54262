import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { textOf } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import { writeFileAtomically } from "../../whole-file.ts";

type Variables = Readonly<Record<string, string>>;

/** Larger than any file that this command writes. */
const MAX_BYTES = 10_000;

const namesIn = (text: string): string => text.replace(/=.*$/gm, "");
const linesOf = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** True if the file contains exactly these names, and was therefore written by this run or by an earlier run. */
function isWrittenByRun(file: string, variables: Variables): boolean {
  const found = lstatSync(file);
  if (!found.isFile() || found.size > MAX_BYTES) return false;
  return namesIn(readFileSync(file, "utf8")) === namesIn(linesOf(variables));
}

/**
 * Writes variables as NAME=value lines that only the owner can read. The write is atomic, because a program may wait for
 * the file and read it at once.
 * @throws UsageError if the file can't be written, or a file of another program would be replaced
 */
export function writeEnvFile(file: string, variables: Variables): void {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) && !isWrittenByRun(file, variables)) {
      throw new UsageError(`--env-file ${file} exists and wasn't written by this command: give another name`);
    }
    writeFileAtomically(file, linesOf(variables), 0o600);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "it can't be written";
    throw new UsageError(`--env-file ${file} can't be written (${code}): name a file in an existing folder`);
  }
}

/** Deletes the file, unless another program has replaced it. */
export function removeEnvFile(file: string, variables: Variables): void {
  if (existsSync(file) && isWrittenByRun(file, variables)) rmSync(file);
}
