import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter } from "vitest/node";
import type { CheckStatus } from "../../../suites/core/grading/outcome.ts";

import { checksThatCatch, mutantsCaughtBy } from "../../../suites/core/mutation/catching.ts";
import { mutationMatrices } from "../../../suites/mutation-matrices.ts";
import { nearest } from "../../nearest.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

/** The time limit for the checks of a mutant. */
const LONGEST_MUTANT_RUN_MS = 600_000;

/**
 * Loads Vitest, a development dependency that runs the mutants.
 * @throws UsageError if Vitest isn't installed
 */
const loadVitest = (): Promise<typeof import("vitest/node")> =>
  import("vitest/node").catch(() => {
    throw new UsageError("mutants needs a clone of the repository, with its development dependencies");
  });

export interface MutantsFlags {
  only?: string[];
  group?: string;
  full?: boolean;
}

interface MutantResult {
  readonly mutant: string;
  readonly outcomes: Readonly<Record<string, CheckStatus>>;
  readonly caught: boolean;
  readonly why: string;
  readonly ms: number;
}

const checks = mutationMatrices.flatMap((matrix) => matrix.checks);
const mutantsById = Object.fromEntries(mutationMatrices.flatMap(({ mutants }) => Object.entries(mutants)));

function selectedIds(flags: MutantsFlags): readonly string[] {
  const ids = Object.keys(mutantsById);
  const unknown = flags.only?.find((pattern) => !ids.some((id) => matchesGlob(id, pattern)));
  if (unknown !== undefined) {
    const meant = nearest(unknown, ids);
    throw new UsageError(`--only ${unknown} isn't a mutant${meant ? `; did you mean ${meant}?` : ""}`);
  }
  const { group } = flags;
  const named =
    group === undefined
      ? undefined
      : new Set(
          checks
            .filter(({ id }) => matchesGlob(id, group))
            .flatMap((check) => mutantsCaughtBy(check, mutantsById)),
        );
  if (named?.size === 0) throw new UsageError(`--group ${group} selects no check (conform --list shows all)`);
  return ids.filter(
    (id) =>
      (!flags.only || flags.only.some((pattern) => matchesGlob(id, pattern))) && (!named || named.has(id)),
  );
}

/** The line about a check's result on a mutant; empty if the result isn't worth a line. */
const resultLine = (check: string, status: CheckStatus, named: boolean): string => {
  if (status === "failed") return `${named ? "caught by" : "also caught by"} ${check}`;
  return named ? `NOT caught by ${check} (${status})` : "";
};

function resultLines(result: MutantResult): readonly string[] {
  const naming = checksThatCatch(mutantsById[result.mutant] ?? {}, checks).map(({ id }) => id);
  const rows = Object.entries(result.outcomes)
    .map(([check, status]) => resultLine(check, status, naming.includes(check)))
    .filter((text) => text !== "");
  return [
    `${result.caught ? "caught    " : "NOT CAUGHT"}  ${result.mutant}  (${mutantsById[result.mutant]?.fault ?? ""}; ${result.ms} ms)`,
    ...rows.map((text) => `            ${text}`),
    ...(result.caught || !result.why ? [] : [`            ${result.why.replaceAll("\n", "\n            ")}`]),
  ];
}

/**
 * Runs the checks that catch each mutant on it, and prints the results. With `full`, runs every check on every
 * mutant.
 * @returns the exit code: 0 if every mutant is caught by its checks, otherwise 1
 */
export async function runMutants(flags: MutantsFlags, output: Output): Promise<number> {
  const ids = selectedIds(flags);
  const results: MutantResult[] = [];
  const problems: string[] = [];
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { state, errors } = test.result();
      const why = errors?.[0]?.message ?? "";
      const outcomes = test.meta().mutantStatuses;
      if (!ids.includes(test.name)) {
        if (state === "failed") problems.push(`${test.name}: ${why}`);
        return;
      }
      const ms = Math.round(test.diagnostic()?.duration ?? 0);
      const result = { mutant: test.name, outcomes: outcomes ?? {}, caught: state === "passed", why, ms };
      results.push(result);
      for (const line of resultLines(result)) output.result(line);
    },
    onTestRunEnd(modules, errors) {
      for (const error of [...modules.flatMap((module) => module.errors()), ...errors])
        problems.push(error.message);
    },
  };
  const { startVitest } = await loadVitest();
  const vitest = await startVitest("test", [], {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    config: false,
    include: mutationMatrices
      .filter(({ mutants }) => ids.some((id) => id in mutants))
      .map(({ files }) => files),
    watch: false,
    pool: "threads",
    testTimeout: LONGEST_MUTANT_RUN_MS,
    // A test file without selected mutants has no tests.
    passWithNoTests: true,
    provide: { mutants: { only: ids, full: flags.full ?? false } },
    reporters: [reporter],
  });
  await vitest.close();
  const caught = results.filter((result) => result.caught).length;
  for (const problem of problems) output.result(`PROBLEM   ${problem}`);
  output.result(`\n${checks.length} checks, ${caught} of ${ids.length} mutants caught`);
  return caught === ids.length && problems.length === 0 ? 0 : 1;
}
