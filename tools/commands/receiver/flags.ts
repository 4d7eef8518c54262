import { type CommandDefinition, patterns } from "../command-context.ts";
import { type Catalogue, type CatalogueFlags, listOrExplain } from "../list-or-explain.ts";
import { commonOptions, EXIT_CODES_HELP } from "../shared-flags.ts";
import { type ReceiverFlags, receiverSettings } from "./settings.ts";

const catalogue: Catalogue = {
  suite: async () => (await import("../../../suites/receiver/suite.ts")).receiverSuite(),
  explanations: async () => (await import("./explanation.ts")).receiverExplanation,
};

export const defineReceiver: CommandDefinition = (root, context) => {
  const command = root
    .command("receiver")
    .description("Certifies a webhook receiver: plays the service, and sends it genuine events and others.")
    .option("--url <url>", "address that takes the webhooks; it may have a query")
    .option("--secret <secret>", "its secret, whsec_…; better in CONFORM_WEBHOOK_SECRET")
    .option("--effects <url>", "address of its effects interface; without it what it does can't be graded")
    .option(
      "--effect-within <duration>",
      "how long after its answer an event may take effect, also where a worker has to try again (default: 30s)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one); its event_types, statuses, without and as_of count here",
    )
    .option(
      "--event-types <list>",
      "the kinds that its subscription lists, and it handles, such as delivery.assigned,delivery.delivered (default: the fourteen default ones)",
      patterns,
    )
    .option(
      "--statuses <list>",
      "the service's strings for states, such as delivered=TESLIM,failed=OLMADI; without them only those that are given are sent",
      patterns,
    )
    .option("--jobs <number>", "checks at a time (default: 8)")
    .option("--timeout <duration>", "how long one answer is waited for (default: 15s, and at most that)");
  commonOptions(command, "receiver")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "Settings come from flags, then from CONFORM_RECEIVER_URL, CONFORM_WEBHOOK_SECRET,\n" +
        "CONFORM_EFFECTS_URL, CONFORM_EVENT_TYPES, CONFORM_STATUSES, CONFORM_CONFIG,\n" +
        "CONFORM_CLAIMS, CONFORM_WITHOUT, CONFORM_AS_OF and CONFORM_SEED. Others on the\n" +
        "machine can read the flags of a running process: a secret is better in the\n" +
        "environment. For an https address with a CA of your own, set NODE_EXTRA_CA_CERTS to\n" +
        "its file.",
    )
    .action(async (flags: ReceiverFlags & CatalogueFlags) => {
      const output = context.output(flags);
      if (await listOrExplain(flags, output, catalogue)) return;
      const settings = receiverSettings(flags, context.environment);
      const { certifyReceiver } = await import("./receiver.ts");
      context.exit((await certifyReceiver(settings, output, context.runInterruption())).exit_code);
    });
};
