import type { CommandDefinition } from "../command-context.ts";
import type { FuzzFlags } from "./fuzz.ts";

export const defineFuzz: CommandDefinition = (root, context) => {
  root
    .command("fuzz")
    .description(
      "Sends the reference server random requests and validates every response against the OpenAPI document; with --hostile, runs the suite against hostile servers, clients and contracts; with --gates, runs the checks on servers with faults that occur only for certain values.",
    )
    .option(
      "--hostile",
      "run the commands conform, receiver and pact against hostile servers, the command client against hostile clients, and pact also with hostile contracts",
    )
    .option(
      "--rounds <number>",
      "with --hostile: number of runs, each with another command and attack (default: one run for each)",
    )
    .option(
      "--gates <number>",
      "try this number of generated faults that occur only for certain values (gates), such as an even package_count",
    )
    .option("--requests <number>", "number of requests (default: 20000)")
    .option("--seed <number>", "seed of all random values (default: a new seed)")
    .action(async (flags: FuzzFlags) => {
      const { runFuzz } = await import("./fuzz.ts");
      context.exit(await runFuzz(flags, context.output()));
    });
};
