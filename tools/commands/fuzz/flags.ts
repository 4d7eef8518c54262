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
      "with --hostile: number of runs, each with a different command or attack (default: one of each)",
    )
    .option(
      "--gates <number>",
      "number of generated faults to try, each of which occurs only for certain values, such as an even package_count",
    )
    .option("--requests <number>", "number of requests (default: 20000)")
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .action(async (flags: FuzzFlags) => {
      const { runFuzz } = await import("./fuzz.ts");
      context.exit(await runFuzz(flags, context.output()));
    });
};
