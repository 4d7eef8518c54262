/**
 * Compares the suite's results with recorded ones: checks that fail on mutants, and the results of null
 * servers, variants and the independent server.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { type Reporter, startVitest } from "vitest/node";
import { packageFolder } from "../../package.ts";
import { compare } from "./compare.ts";
import { EMBEDDED_RUN, measureEmbeddedRun } from "./embedded-run.ts";
import { type Measured, readMeasurements, writeMeasurements } from "./measured.ts";
import { subjects } from "./subjects.ts";

const USAGE = `node tools/testing/yardstick/yardstick.ts [--write] [--only TEXT] [--sample N [--seed S]]
  measures the suite and compares it with yardstick.jsonl; exits 1 if the suite sees less than it did
  --write     writes what was measured to the file, which keeps the rest
  --only      only subjects whose name holds this text, such as server/idempotency or null-server
  --sample    only so many of them, drawn by the seed (1)
  --missing   only those that the file says nothing of
  --list      names the subjects`;

/** The timeout of a hanging run. */
const LONGEST_MS = 600_000;
/** The number of concurrent mutants, which mostly wait. */
const AT_ONCE = 16;
/** One thread per core. */
const THREADS = 2;

const { values: flags } = parseArgs({
  options: {
    write: { type: "boolean" },
    only: { type: "string", default: "" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    missing: { type: "boolean" },
    list: { type: "boolean" },
    help: { type: "boolean" },
  },
});

const all = [...subjects.map(({ name }) => name), EMBEDDED_RUN];

/** A shuffled order, determined by names and seed. */
function shuffled(names: readonly string[]): readonly string[] {
  const drawn = (name: string) => createHash("sha256").update(`${flags.seed} ${name}`).digest("hex");
  return names.toSorted((one, other) => (drawn(one) < drawn(other) ? -1 : 1));
}

/** Measures subjects on both cores, and reports each result immediately. */
async function measure(names: readonly string[], tell: (name: string, measured: Measured) => void) {
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { measured } = test.meta();
      if (measured) tell(test.name, measured);
      else console.error(`${test.name}: ${test.result().errors?.[0]?.message}`);
    },
    onTestRunEnd(modules, errors) {
      for (const { message } of [...modules.flatMap((module) => module.errors()), ...errors])
        console.error(message);
    },
  };
  const ofThread = (thread: number) => names.filter((_, place) => place % THREADS === thread);
  const threads = Array.from({ length: Math.min(THREADS, names.length) }, (_, thread) => ({
    test: {
      name: `thread ${thread}`,
      root: packageFolder,
      include: ["tools/testing/yardstick/measure.ts"],
      provide: { subjects: ofThread(thread) },
      pool: "threads" as const,
      testTimeout: LONGEST_MS,
    },
  }));
  const vitest = await startVitest("test", [], {
    root: packageFolder,
    config: false,
    watch: false,
    maxConcurrency: AT_ONCE,
    maxWorkers: THREADS,
    projects: threads,
    reporters: [reporter],
  });
  await vitest.close();
}

async function main(): Promise<number> {
  if (flags.help) console.info(USAGE);
  const before = readMeasurements();
  const named = all.filter((name) => name.includes(flags.only) && !(flags.missing && name in before));
  if (named.length === 0) throw new Error(`--only ${flags.only} names nothing: see --list`);
  if (flags.list) console.info(named.join("\n"));
  if (flags.help || flags.list) return 0;
  const chosen = shuffled(named).slice(0, flags.sample === undefined ? undefined : Number(flags.sample));
  const now = new Map<string, Measured>();
  const tell = (name: string, measured: Measured) => {
    now.set(name, measured);
    if (flags.write) writeMeasurements({ [name]: measured }, all);
    if (now.size % 100 === 0) console.info(`${now.size} of ${chosen.length}`);
  };
  if (chosen.includes(EMBEDDED_RUN)) tell(EMBEDDED_RUN, await measureEmbeddedRun());
  const others = chosen.filter((name) => name !== EMBEDDED_RUN);
  if (others.length > 0) await measure(others, tell);
  if (flags.write) return now.size === chosen.length ? 0 : 1;
  const gone = Object.keys(before).filter((name) => !all.includes(name));
  const differences = compare(before, Object.fromEntries(now), { chosen, gone });
  for (const { line, isWorse } of differences) console.info(`${isWorse ? "WORSE" : "     "}  ${line}`);
  const worse = differences.filter(({ isWorse }) => isWorse).length;
  console.info(`${now.size} measured, ${differences.length} differences, ${worse} of them for the worse`);
  return worse === 0 ? 0 : 1;
}

process.exitCode = await main();
