import { type CommandDefinition, commaSeparated } from "../command-context.ts";
import type { BenchFlags } from "./bench.ts";

export const defineBench: CommandDefinition = (root, context) => {
  root
    .command("bench")
    .description(
      "Measures the speed of the suite and the reference server, and prints each figure with its target.",
    )
    .option(
      "--only <measurements>",
      "only these measurements: ids or globs, separated by commas",
      commaSeparated,
    )
    .option("--iterations <number>", "repetitions of each measurement; at most 3 for whole runs (default: 7)")
    .option(
      "--scale <fraction>",
      "fraction of the full load; below 1, the figures are meaningless (default: 1)",
    )
    .addHelpText("after", "\nMeasurements: conform, remote, serving, page.")
    .action(async (flags: BenchFlags) => {
      const { bench } = await import("./bench.ts");
      context.exit(await bench(flags, context.output()));
    });
};
