import { UsageError } from "../../usage-error.ts";
import { type CommandDefinition, commaSeparated } from "../command-context.ts";
import type { GeneratedFlags } from "./generated/generated.ts";
import type { MutantsFlags } from "./mutants.ts";

export const defineMutants: CommandDefinition = (root, context) => {
  root
    .command("mutants")
    .description(
      "Runs the checks on servers, receivers and clients with one fault each; fails if the checks miss one that has no explanation.",
    )
    .option("--only <ids>", "run only these mutants: ids or globs, separated by commas", commaSeparated)
    .option("--group <glob>", "run only the mutants of these checks, such as 'idempotency.*'")
    .option("--full", "run every check on every mutant, not only the checks that name the mutant")
    .option("--generated", "use mutants generated from the reference server's source, each with one change")
    .option(
      "--folder <names>",
      "with --generated: mutate these folders of reference-server, separated by commas",
      commaSeparated,
    )
    .option("--sample <number>", "with --generated: run this number of mutants, chosen by the seed")
    .option("--seed <number>", "with --sample: seed of the choice (default: a new seed)")
    .addHelpText(
      "after",
      "\nWith --generated, --only takes files and lines, such as 'domain/phone.ts' or 'domain/*.ts:17'.",
    )
    .action(async (flags: MutantsFlags & GeneratedFlags & { generated?: boolean }) => {
      if (flags.generated) {
        const other = ["group" as const, "full" as const].find((one) => flags[one]);
        if (other) throw new UsageError(`--${other} and --generated don't go together: give one of them`);
        const { runGenerated } = await import("./generated/generated.ts");
        context.exit(await runGenerated(flags, context.output()));
        return;
      }
      const alone = ["folder" as const, "sample" as const, "seed" as const].find((one) => flags[one]);
      if (alone) throw new UsageError(`--${alone} needs --generated`);
      const { runMutants } = await import("./mutants.ts");
      context.exit(await runMutants(flags, context.output()));
    });
};
