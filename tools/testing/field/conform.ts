import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Report } from "../../report/model.ts";
import { startCli } from "../processes/cli-process.ts";

/** The time limit of a run. */
export const LONGEST_MS = 900_000;

/** A run's result and complete output. */
export interface FieldRun {
  readonly report: Report;
  readonly told: string;
}

/** Starts `conform` with a settings file and optional flags. */
export function conform(
  settings: object,
  seed: number,
  { flags = [], commandPrefix = [] }: { flags?: readonly string[]; commandPrefix?: readonly string[] } = {},
): { readonly child: ChildProcess; readonly ended: Promise<FieldRun> } {
  const cwd = mkdtempSync(join(tmpdir(), "field-"));
  writeFileSync(join(cwd, "conform.yaml"), stringify(settings));
  const args = [
    "conform",
    "--config",
    "conform.yaml",
    "--report",
    "report",
    "--seed",
    String(seed),
    ...flags,
  ];
  const { child, ended } = startCli(args, { cwd, longestMs: LONGEST_MS, commandPrefix });
  return {
    child,
    ended: ended.then(({ stdout, stderr }) => {
      const file = join(cwd, "report", "report.json");
      if (!existsSync(file)) throw new Error(`conform wrote no report: ${stdout}${stderr}`);
      const report: Report = JSON.parse(readFileSync(file, "utf8"));
      return { report, told: stdout + stderr };
    }),
  };
}

/**
 * A line for each failed check, without warnings, which conforming servers may have.
 */
export const failuresIn = ({ checks }: Report): readonly string[] =>
  checks
    .filter(({ status, severity }) => (status === "failed" && severity === "MUST") || status === "errored")
    .map(({ id, message, expected, actual }) => `${id}: ${message} (expected ${expected}, got ${actual})`);
