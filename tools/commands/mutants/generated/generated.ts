/** Implements `mutants --generated`, which mutates the reference server's source. */
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

/** The folders with the service's rules and its request handling. */
export const FOLDERS = ["domain", "operations", "events", "http"];
const SERVER = new URL("../../../../reference-server/", import.meta.url);
const SEED_LIMIT = 2 ** 31;

function wholeNumber(flag: string, value: string, least: number): number {
  if (/^\d{1,10}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(`--${flag} takes a whole number of at least ${least}, not ${value}`);
}

/** The mutants that `--only` selects: `domain/phone.ts`, `domain/phone.ts:17`, or a glob of either. */
const isSelected = ({ file, line }: GeneratedMutant, pattern: string): boolean =>
  matchesGlob(file, pattern) || matchesGlob(`${file}:${line}`, pattern);

function selectedMutants(
  mutants: readonly GeneratedMutant[],
  { only }: GeneratedFlags,
): readonly GeneratedMutant[] {
  const unknown = only?.find((pattern) => !mutants.some((mutant) => isSelected(mutant, pattern)));
  if (unknown !== undefined) {
    throw new UsageError(
      `--only ${unknown} has no mutants: give a file such as domain/phone.ts, a line such as domain/phone.ts:17, or a glob`,
    );
  }
  return mutants.filter((mutant) => !only || only.some((pattern) => isSelected(mutant, pattern)));
}

/** Mutants with the same group are covered by one explanation. */
const groupOf = ({ file, declaration, fingerprint, operator }: GeneratedMutant): string =>
  `${file} ${declaration} ${fingerprint}, ${operator}`;

/**
 * A line for each group whose number of survivors differs from the explained number. With `isPart`, only some mutants
 * were run, so only groups with too many survivors are listed.
 */
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

function trialLine({ mutant, result, ms }: Trial, end: string): string {
  const how =
    result.kind === "killed"
      ? `by ${result.killer}`
      : result.kind === "dead" || result.kind === "incomplete"
        ? result.why.split("\n", 1)[0]
        : result.kind === "unreached"
          ? "no check executes it"
          : "";
  return `${end.padEnd(11)} ${mutant.file}:${mutant.line}  ${mutant.change}  (${[how, `${ms} ms`].filter(Boolean).join("; ")})`;
}

/**
 * Changes the reference server's source in one place at a time, runs the suite on each such server, and prints the
 * results.
 * @returns the exit code: 0 if each group has the explained number of survivors, and no explanation is stale; otherwise 1
 */
export async function runGenerated(flags: GeneratedFlags, output: Output): Promise<number> {
  const folders = flags.folder ?? FOLDERS;
  if (!existsSync(new URL("domain/phone.ts", SERVER))) {
    throw new UsageError(
      "--generated changes the reference server's source: run it in a checkout of the project",
    );
  }
  // The package doesn't include these modules.
  const { mutationsOf, sourceFiles } = await import("./mutations.ts");
  const { sampleOf, tryMutants } = await import("./run.ts");
  const missing = folders.find((folder) => sourceFiles([folder]).length === 0);
  if (missing !== undefined) throw new UsageError(`--folder ${missing} isn't a folder of reference-server`);
  const seed = wholeNumber("seed", flags.seed ?? String(Math.floor(Math.random() * SEED_LIMIT)), 0);
  const size = flags.sample === undefined ? undefined : wholeNumber("sample", flags.sample, 1);
  const explanations = new Explanations();
  const every = await mutationsOf(sourceFiles([...new Set([...FOLDERS, ...folders])]));
  const stale = explanations.stale(every.mutants);
  const inFolders = every.mutants.filter(({ file }) =>
    folders.some((folder) => file.startsWith(`${folder}/`)),
  );
  const named = selectedMutants(inFolders, flags);
  // A survivor takes longest, so a sample contains no explained mutants.
  const unknown = named.filter((mutant) => !explanations.of(mutant));
  const mutants = size === undefined ? named : sampleOf(unknown, size, seed);
  const trials: Trial[] = [];
  await tryMutants(every, mutants, (trial) => {
    trials.push(trial);
    output.line(trialLine(trial, endOf(trial, explanations)));
    output.status(`${trials.length} of ${mutants.length} mutants`);
  });
  output.status("");
  for (const line of tableOf(trials, explanations)) output.result(line);
  const isPart = size !== undefined || flags.only !== undefined;
  const wrong = miscounted(trials, explanations, isPart);
  for (const line of wrong) output.result(`MISCOUNTED  ${line}`);
  for (const line of stale) output.result(`STALE  ${line}`);
  const sampled =
    size === undefined ? "" : ` (a sample of the ${unknown.length} without an explanation, seed ${seed})`;
  const found = `${wrong.length} groups whose number of survivors differs from the explained number`;
  output.result(`\n${trials.length} mutants${sampled}, ${found}`);
  return wrong.length + stale.length === 0 ? 0 : 1;
}
