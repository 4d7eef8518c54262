import type { CommandDefinition } from "../command-context.ts";
import type { ConformFlags } from "../conform/settings.ts";
import { targetOptions } from "../shared-flags.ts";

export const defineMcp: CommandDefinition = (root, context) => {
  const command = root
    .command("mcp")
    .description(
      "Serves the suite to agents through the Model Context Protocol, on standard input and output.",
    );
  targetOptions(command)
    .addHelpText(
      "after",
      `
Tools: list_checks, explain, run and read_report. run certifies the target of these flags, of the environment or of the
settings file; an address on this machine that the agent names; or else the embedded reference server. Secrets come from
flags, environment and settings file only, and no tool returns one. The command needs the package
@modelcontextprotocol/server. It ends when its standard input ends.`,
    )
    .action(async (flags: ConformFlags) => {
      const { serveMcp } = await import("./serve.ts");
      await serveMcp({ flags, environment: context.environment }, context.runInterruption());
    });
};
