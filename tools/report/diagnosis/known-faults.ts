import { existsSync, readFileSync } from "node:fs";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import type { Break } from "../../../suites/core/mutation/breaks.ts";
import { type Catchable, checksThatCatch } from "../../../suites/core/mutation/catching.ts";

export interface KnownFault extends Catchable {
  /** The fault in words, as a statement about the server. */
  readonly fault: string;
  readonly breaks: readonly Break[];
  /** The beginning of the wrong value that the server always shows, if the fault is one. */
  readonly actual?: string;
}

/** The faults, by their mutants' names. */
export type KnownFaults = Readonly<Record<string, KnownFault>>;

/** The file with known faults, which the package's build writes. */
export const KNOWN_FAULTS_FILE = new URL("known-faults.json", import.meta.url);

/** The faults that could be the target's: no passed check catches them. */
export function faultsNotRuledOut(
  faults: KnownFaults,
  checks: readonly Pick<SuiteCheck, "id" | "clauses">[],
  passed: ReadonlySet<string>,
): KnownFaults {
  const passedChecks = checks.filter(({ id }) => passed.has(id));
  return Object.fromEntries(
    Object.entries(faults).filter(([, fault]) => checksThatCatch(fault, passedChecks).length === 0),
  );
}

/** Serializes known faults, one per line. */
export const knownFaultsFile = (faults: KnownFaults): string =>
  `{\n${Object.entries(faults)
    .map(
      ([mutant, { fault, breaks, caughtBy, actual }]) =>
        `${JSON.stringify(mutant)}:${JSON.stringify({ fault, breaks, caughtBy, actual })}`,
    )
    .join(",\n")}\n}\n`;

/** The known faults of servers: in a clone from the mutants, in the package from the file. */
export async function knownServerFaults(): Promise<KnownFaults> {
  if (existsSync(KNOWN_FAULTS_FILE)) return JSON.parse(readFileSync(KNOWN_FAULTS_FILE, "utf8"));
  return (await import("../../../suites/server/mutants/index.ts")).mutants;
}
