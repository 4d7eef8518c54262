import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Report } from "../../report/model.ts";
import { startCli } from "../processes/cli-process.ts";

/** The timeout of a hanging run. */
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
  { flags = [], startedBy = [] }: { flags?: readonly string[]; startedBy?: readonly string[] } = {},
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
  const { child, ended } = startCli(args, { cwd, longestMs: LONGEST_MS, startedBy });
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
 * The failed checks, as shown when the test fails. Warnings are excluded, because conforming servers may have
 * them.
 */
export const troubleOf = ({ checks }: Report): readonly string[] =>
  checks
    .filter(({ status, severity }) => (status === "failed" && severity === "MUST") || status === "errored")
    .map(({ id, message, expected, actual }) => `${id}: ${message} (expected ${expected}, got ${actual})`);
