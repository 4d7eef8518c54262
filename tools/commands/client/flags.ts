import type { CommandDefinition } from "../command-context.ts";
import { type Catalogue, type CatalogueFlags, listOrExplain } from "../list-or-explain.ts";
import { commonOptions, EXIT_CODES_HELP } from "../shared-flags.ts";
import { type ClientFlags, clientSettings } from "./settings.ts";

const catalogue: Catalogue = {
  suite: async () => (await import("../../../suites/client/suite.ts")).clientSuite(),
  explanations: async () => (await import("./explanation.ts")).clientExplanation,
};

export const defineClient: CommandDefinition = (root, context) => {
  const command = root
    .command("client")
    .description("Grades an API client: a sandbox that misbehaves on purpose sees how the client copes.")
    .argument("[command...]", "after --: the client's command; else the client is started elsewhere")
    .option("--port <number>", "port of the sandbox (default: a free one)")
    .option("--scenario <names>", "only these scenarios, with commas (default: all in turn)")
    .option("--time-scale <factor>", "what the client multiplies its waits by, 0.05 to 1 (default: 1)")
    .option("--duration <time>", "grade after this time (default: at Ctrl-C; with a command 15m at most)")
    .option(
      "--rounds <number>",
      "how often the client is started at most (default: while scenarios are left)",
    )
    .option(
      "--no-confirm",
      "don't run the command a second time to confirm failures (default: once, for all failures together)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one); its without and as_of count here",
    )
    .option("--env-file <file>", "write address and credentials there, as NAME=value lines")
    .option("--write-env <file>", "the same for npx, where Node takes --env-file for a flag of its own");
  commonOptions(command, "client")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "A command gets BASE_URL, CLIENT_ID, CLIENT_SECRET, PAIRING_CODE and TIME_SCALE in\n" +
        "its environment, and is started again with other ones as long as scenarios are left:\n" +
        "what may rightly end it has a start of its own. Without a command, play the client\n" +
        "by hand or from a job, each start with the credentials that are shown (or stand in\n" +
        "the file) by then, and end the run with Ctrl-C (SIGINT). Settings come from flags,\n" +
        "then from CONFORM_CONFIG, CONFORM_CLAIMS, CONFORM_WITHOUT, CONFORM_AS_OF and\n" +
        "CONFORM_SEED. --list shows the scenarios as needs.",
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
