import { type CommandDefinition, patterns } from "../command-context.ts";
import type { BenchFlags } from "./bench.ts";

export const defineBench: CommandDefinition = (root, context) => {
  root
    .command("bench")
    .description(
      "Measures the speed of the suite and the reference server, next to the target for each figure.",
    )
    .option("--only <rows>", "only these rows: ids or globs, separated by commas", patterns)
    .option("--iterations <number>", "repetitions of each measurement; whole runs at most three (default: 7)")
    .option(
      "--scale <fraction>",
      "fraction of the full load; figures below 1 are a rough test only (default: 1)",
    )
    .addHelpText("after", "\nRows: conform, remote, serving, page.")
    .action(async (flags: BenchFlags) => {
      const { bench } = await import("./bench.ts");
      context.exit(await bench(flags, context.output()));
    });
};
