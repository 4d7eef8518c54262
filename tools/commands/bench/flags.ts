import { type CommandDefinition, patterns } from "../command-context.ts";
import type { BenchFlags } from "./bench.ts";

export const defineBench: CommandDefinition = (root, context) => {
  root
    .command("bench")
    .description("Measures what the targets are about in one run, and prints each figure beside its target.")
    .option("--only <rows>", "only these rows: ids or globs, with commas", patterns)
    .option("--rounds <number>", "how often each is measured, whole runs three times at most (default: 7)")
    .option("--scale <fraction>", "of the sizes; below 1 the figures mean little (default: 1)")
    .option("--json", "print JSON instead of the table")
    .addHelpText(
      "after",
      "\nRows: conform, schedule, far, credentials, receiver, client, serving, postgres, start, page, webhooks,\n" +
        "mutants. Each once takes about seven minutes: --rounds 1.\n" +
        "BENCH_POSTGRES_URL names a PostgreSQL database that may be filled; without it that row is not measured.",
    )
    .action(async (flags: BenchFlags) => {
      const { bench } = await import("./bench.ts");
      context.exit(await bench(flags, context.environment, context.output()));
    });
};
