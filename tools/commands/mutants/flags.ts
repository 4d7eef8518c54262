import { type CommandDefinition, patterns } from "../command-context.ts";
import type { MutantsFlags } from "./mutants.ts";

export const defineMutants: CommandDefinition = (root, context) => {
  root
    .command("mutants")
    .description(
      "Runs the checks on servers, receivers and clients with one fault each; every fault must be caught.",
    )
    .option("--only <ids>", "only these mutants: ids or globs, with commas", patterns)
    .option("--group <glob>", "only the mutants that these checks name, e.g. 'idempotency.*'")
    .option("--full", "try every check on every mutant, not only those that name it")
    .action(async (flags: MutantsFlags) => {
      const { runMutants } = await import("./mutants.ts");
      context.exit(await runMutants(flags, context.output()));
    });
};
