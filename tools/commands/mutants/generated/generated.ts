/** The command's part that mutates the reference server's source. */
import { existsSync } from "node:fs";
import { matchesGlob } from "node:path";
import type { Output } from "../../../terminal/output.ts";
import { UsageError } from "../../../usage-error.ts";
import { Explanations } from "./explanations.ts";
import type { GeneratedMutant } from "./mutations.ts";
import type { Trial } from "./run.ts";
import { endOf, survives, tableOf } from "./table.ts";

export interface GeneratedFlags {
  only?: string[];
  folder?: string[];
  sample?: string;
  seed?: string;
}

/** Where the service's rules stand, and the way of a request. */
export const FOLDERS = ["domain", "operations", "events", "http"];
const SERVER = new URL("../../../../reference-server/", import.meta.url);
const MOST_SEEDS = 2 ** 31;

function whole(flag: string, value: string, least: number): number {
  if (/^\d{1,10}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`--${flag} takes a whole number of at least ${least}, not ${value}`);
}

/** As `--only` names it: `domain/phone.ts`, `domain/phone.ts:17`, or a glob of either. */
const isNamed = ({ file, line }: GeneratedMutant, pattern: string): boolean =>
  matchesGlob(file, pattern) || matchesGlob(`${file}:${line}`, pattern);

function chosen(mutants: readonly GeneratedMutant[], { only }: GeneratedFlags): readonly GeneratedMutant[] {
  const unknown = only?.find((pattern) => !mutants.some((mutant) => isNamed(mutant, pattern)));
  if (unknown !== undefined) {
    throw new UsageError(
      `--only ${unknown} names no line that can be changed: give a file as domain/phone.ts, a line as domain/phone.ts:17, or a glob`,
    );
  }
  return mutants.filter((mutant) => !only || only.some((pattern) => isNamed(mutant, pattern)));
}

/** Mutants that one explanation may be of. */
const groupOf = ({ file, declaration, fingerprint, operator }: GeneratedMutant): string =>
  `${file} ${declaration} ${fingerprint}, ${operator}`;

/** The groups of mutants of which another number survived than is explained; of more only in a part of the mutants. */
function miscounted(
  trials: readonly Trial[],
  explanations: Explanations,
  isPart: boolean,
): readonly string[] {
  return [...Map.groupBy(trials, ({ mutant }) => groupOf(mutant))].flatMap(([group, [first, ...rest]]) => {
    if (first === undefined) return [];
    const survivors = [first, ...rest].filter(survives).length;
    const explained = explanations.countFor(first.mutant);
    return survivors === explained || (isPart && survivors < explained)
      ? []
      : [`${group}: ${survivors} survived, ${explained} explained`];
  });
}

function told({ mutant, result, ms }: Trial, end: string): string {
  const how =
    result.kind === "killed"
      ? `by ${result.killer}`
      : result.kind === "dead" || result.kind === "incomplete"
        ? result.why.split("\n", 1)[0]
        : result.kind === "unreached"
          ? "no check comes to it"
          : "";
  return `${end.padEnd(11)} ${mutant.file}:${mutant.line}  ${mutant.change}  (${[how, `${ms} ms`].filter(Boolean).join("; ")})`;
}

/**
 * Changes the reference server's source in one place at a time, runs the suite on each such server, and prints what came
 * of it.
 * @returns 0 if as many survive in each declaration by each operator as are explained, and no explanation is of code that
 *   has changed since; else 1
 */
export async function runGenerated(flags: GeneratedFlags, output: Output): Promise<number> {
  const folders = flags.folder ?? FOLDERS;
  if (!existsSync(new URL("domain/phone.ts", SERVER))) {
    throw new UsageError(
      "--generated changes the reference server's source: run it in a checkout of the project",
    );
  }
  // What makes the changes isn't part of the package.
  const { mutationsOf, sourceFiles } = await import("./mutations.ts");
  const { sampleOf, tryMutants } = await import("./run.ts");
  const missing = folders.find((folder) => sourceFiles([folder]).length === 0);
  if (missing !== undefined) throw new UsageError(`--folder ${missing} is no folder of reference-server`);
  const seed = whole("seed", flags.seed ?? String(Math.floor(Math.random() * MOST_SEEDS)), 0);
  const size = flags.sample === undefined ? undefined : whole("sample", flags.sample, 1);
  const explanations = new Explanations();
  const every = await mutationsOf(sourceFiles([...new Set([...FOLDERS, ...folders])]));
  const stale = explanations.stale(every.mutants);
  const inFolders = every.mutants.filter(({ file }) =>
    folders.some((folder) => file.startsWith(`${folder}/`)),
  );
  const named = chosen(inFolders, flags);
  // What is explained survives, which takes longest: a sample is of the others.
  const unknown = named.filter((mutant) => !explanations.of(mutant));
  const mutants = size === undefined ? named : sampleOf(unknown, size, seed);
  const trials: Trial[] = [];
  await tryMutants(every, mutants, (trial) => {
    trials.push(trial);
    output.line(told(trial, endOf(trial, explanations)));
    output.status(`${trials.length} of ${mutants.length} mutants`);
  });
  output.status("");
  for (const line of tableOf(trials, explanations)) output.result(line);
  const isPart = size !== undefined || flags.only !== undefined;
  const wrong = miscounted(trials, explanations, isPart);
  for (const line of wrong) output.result(`MISCOUNTED  ${line}`);
  for (const line of stale) output.result(`STALE  ${line}`);
  const sampled =
    size === undefined ? "" : ` (a sample of ${unknown.length} that aren't explained, seed ${seed})`;
  const found = `${wrong.length} groups of another number of survivors than explained`;
  output.result(`\n${trials.length} mutants${sampled}, ${found}`);
  return wrong.length + stale.length === 0 ? 0 : 1;
}
