import type { CommandDefinition } from "../command-context.ts";
import type { FuzzFlags } from "./fuzz.ts";

export const defineFuzz: CommandDefinition = (root, context) => {
  root
    .command("fuzz")
    .description(
      "Sends the reference server requests of all kinds; every answer must be one that the document has. Or plays a hostile server against the suite.",
    )
    .option("--hostile", "a hostile server attacks conform: bombs, floods, drips, control characters, leaks")
    .option(
      "--rounds <number>",
      "with --hostile: runs of conform, each with another attack (default: each alone, and all together)",
    )
    .option("--requests <number>", "how many are sent (default: 20000)")
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .action(async (flags: FuzzFlags) => {
      const { runFuzz } = await import("./fuzz.ts");
      context.exit(await runFuzz(flags, context.output()));
    });
};
