import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { UsageError } from "../../usage-error.ts";

/**
 * Writes variables as NAME=value lines, for nobody else to read. The file is there at once and whole: a job may wait
 * for it.
 * @throws UsageError where it can't be written
 */
export function writeEnvFile(file: string, variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, lines.join(""), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = error instanceof Error && "code" in error ? String(error.code) : "it can't be written";
    throw new UsageError(
      `--env-file ${file} can't be written (${code}): name a file in a folder that is there`,
    );
  }
}
