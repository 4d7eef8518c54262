import { suiteOf } from "../../suites.ts";
import type { CommandDefinition } from "../command-context.ts";
import { type Catalogue, type CatalogueFlags, listOrExplain } from "../list-or-explain.ts";
import { commonOptions, EXIT_CODES_HELP } from "../shared-flags.ts";
import { type ClientFlags, clientSettings } from "./settings.ts";

const catalogue: Catalogue = {
  suite: suiteOf.client,
  explanations: async () => (await import("./explanation.ts")).clientExplanation,
};

export const defineClient: CommandDefinition = (root, context) => {
  const command = root
    .command("client")
    .description("Grades an API client: runs it against a sandbox that misbehaves on purpose.")
    .argument(
      "[command...]",
      "after --: the command that starts the client; without it, start the client yourself",
    )
    .option("--port <number>", "port of the sandbox (default: a free one)")
    .option("--scenario <names>", "play only these scenarios, separated by commas (default: all)")
    .option(
      "--time-scale <factor>",
      "factor by which the client multiplies its waits, 0.05 to 1 (default: 1)",
    )
    .option(
      "--duration <time>",
      "end the run and grade the client after this time (default: at Ctrl-C; with a command, when it exits or after 15m)",
    )
    .option(
      "--max-starts <number>",
      "start the client at most this number of times (default: until all scenarios have been played)",
    )
    .option(
      "--no-confirm",
      "don't run the command a second time to confirm failures (default: once, for all failures together)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one), of which only without and as_of are used",
    )
    .option("--env-file <file>", "write base URL and credentials to this file, as NAME=value lines")
    .option("--write-env <file>", "same as --env-file, for npx, where --env-file is a flag of Node");
  commonOptions(command, "client")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "The command gets BASE_URL, CLIENT_ID, CLIENT_SECRET, PAIRING_CODE and TIME_SCALE in\n" +
        "its environment. It is started again, with new credentials, until all scenarios have\n" +
        "been played. Without a command, start the client yourself. Use the latest credentials\n" +
        "on the terminal (or in the file) for each start, and end the run with Ctrl-C\n" +
        "(SIGINT). Flags override the environment (CONFORM_CONFIG, CONFORM_CLAIMS,\n" +
        "CONFORM_WITHOUT, CONFORM_AS_OF, CONFORM_SEED). --list shows the scenario that a\n" +
        "check needs.",
    )
    .action(async (words: string[], flags: ClientFlags & CatalogueFlags) => {
      const output = context.output(flags);
      if (await listOrExplain(flags, output, catalogue)) return;
      const settings = clientSettings(flags, words, context.environment);
      const { certifyClient } = await import("./client.ts");
      const report = await certifyClient(settings, output, context.environment, context.runInterruption());
      context.exit(report.exit_code);
    });
};
