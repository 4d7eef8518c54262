import { suiteOf } from "../../suites.ts";
import { UsageError } from "../../usage-error.ts";
import type { CommandDefinition } from "../command-context.ts";
import { type Catalogue, type CatalogueFlags, listOrExplain } from "../list-or-explain.ts";
import { commonOptions, EXIT_CODES_HELP, targetOptions } from "../shared-flags.ts";
import { startEmbeddedServer } from "./embedded-server.ts";
import { type ConformFlags, conformSettings } from "./settings.ts";

const catalogue: Catalogue = {
  suite: suiteOf.server,
  explanations: async () => (await import("./explanation.ts")).serverExplanation,
};

export const defineConform: CommandDefinition = (root, context) => {
  const command = root
    .command("conform")
    .description("Certifies a server: the embedded reference server, or the one at --url.");
  targetOptions(command)
    .option(
      "--watch",
      "keep running, and repeat failed checks when you press Enter or the target restarts; needs --url",
    )
    .option("--shuffle", "run the checks in a random order, chosen by the seed")
    .option(
      "--jobs <number>",
      "number of checks that run at the same time (default: 16 to 48, depending on latency)",
    )
    .option(
      "--max-wait <duration>",
      "without a control interface: how long a check may wait in real time for expiry, retries and schedules (default: 30s)",
    );
  commonOptions(command, "server")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "Flags override the environment (CONFORM_URL, CONFORM_CONFIG,\n" +
        "CONFORM_CONTROL_URL, CONFORM_CONTROL_TOKEN, CONFORM_CLIENT_ID,\n" +
        "CONFORM_CLIENT_SECRET, CONFORM_PAIRING_CODE, CONFORM_CLAIMS, CONFORM_WITHOUT,\n" +
        "CONFORM_AS_OF, CONFORM_SEED), which overrides the settings file. Without a target\n" +
        "and a settings file, the embedded reference server is certified.",
    )
    .action(async (flags: ConformFlags & CatalogueFlags & { watch?: boolean }) => {
      const output = context.output(flags);
      if (await listOrExplain(flags, output, catalogue)) return;
      if (flags.watch && (flags.json || flags.jsonLines)) {
        throw new UsageError("--watch can't be combined with --json or --json-lines: omit one of them");
      }
      const settings = conformSettings(flags, context.environment);
      // The server's thread loads its modules while this thread loads the checks.
      const [server, { conform, watchConform }] = await Promise.all([
        settings.url === undefined && !settings.image ? startEmbeddedServer() : undefined,
        import("./conform.ts"),
      ]);
      try {
        const report = flags.watch
          ? await watchConform(settings, output, context.runInterruption(), process.stdin)
          : await conform(settings, output, context.runInterruption(), server);
        context.exit(report.exit_code);
      } finally {
        await server?.close();
      }
    });
};
