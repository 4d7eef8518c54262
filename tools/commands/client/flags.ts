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
    .option("--scenario <names>", "only these scenarios, separated by commas (default: all)")
    .option(
      "--time-scale <factor>",
      "factor by which the client multiplies its waits, 0.05 to 1 (default: 1)",
    )
    .option(
      "--duration <time>",
      "end and grade after this time (default: at Ctrl-C; with a command, at its exit or after 15m)",
    )
    .option(
      "--max-starts <number>",
      "how many times to start the client at most (default: until all scenarios have been played)",
    )
    .option(
      "--no-confirm",
      "don't run the command a second time to confirm failures (default: once, for all failures together)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one); only its without and as_of apply",
    )
    .option("--env-file <file>", "write address and credentials to this file, as NAME=value lines")
    .option(
      "--write-env <file>",
      "the same as --env-file; use it with npx, where --env-file is a flag of Node",
    );
  commonOptions(command, "client")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "The command gets BASE_URL, CLIENT_ID, CLIENT_SECRET, PAIRING_CODE and TIME_SCALE in\n" +
        "its environment. It is started again, with new credentials, until all scenarios have\n" +
        "been played. Without a command, start the client yourself, each time with the\n" +
        "credentials that are printed (or in the file) then, and end the run with Ctrl-C\n" +
        "(SIGINT). Settings come from flags, then from CONFORM_CONFIG, CONFORM_CLAIMS,\n" +
        "CONFORM_WITHOUT, CONFORM_AS_OF and CONFORM_SEED. --list shows the scenario that a\n" +
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
