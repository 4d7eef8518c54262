import type { CommandDefinition } from "./context.ts";

export const defineBench: CommandDefinition = (root, context) => {
  root
    .command("bench")
    .description("Times the main jobs as whole processes, and prints how they compare within one run.")
    .action(async () => {
      const { bench } = await import("../commands/bench.ts");
      context.exit(await bench(context.output()));
    });
};
