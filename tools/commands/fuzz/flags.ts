import type { CommandDefinition } from "../command-context.ts";
import type { FuzzFlags } from "./fuzz.ts";

export const defineFuzz: CommandDefinition = (root, context) => {
  root
    .command("fuzz")
    .description(
      "Sends the reference server random requests and validates every answer against the OpenAPI document; with --hostile, plays hostile servers, clients and contracts against the suite; with --gates, runs the checks on servers with faults that depend on a value.",
    )
    .option(
      "--hostile",
      "run conform, receiver and pact against hostile servers, client against hostile clients, and pact with hostile contracts",
    )
    .option(
      "--rounds <number>",
      "with --hostile: number of runs, each with another command or attack (default: one of each)",
    )
    .option(
      "--gates <number>",
      "try so many faults that depend on a value, such as an even package_count shown less one",
    )
    .option("--requests <number>", "number of requests (default: 20000)")
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .action(async (flags: FuzzFlags) => {
      const { runFuzz } = await import("./fuzz.ts");
      context.exit(await runFuzz(flags, context.output()));
    });
};
