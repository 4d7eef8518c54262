import { suiteOf } from "../../suites.ts";
import { type CommandDefinition, commaSeparated } from "../command-context.ts";
import { type Catalogue, type CatalogueFlags, listOrExplain } from "../list-or-explain.ts";
import { commonOptions, EXIT_CODES_HELP } from "../shared-flags.ts";
import { type ReceiverFlags, receiverSettings } from "./settings.ts";

const catalogue: Catalogue = {
  suite: suiteOf.receiver,
  explanations: async () => (await import("./explanation.ts")).receiverExplanation,
};

export const defineReceiver: CommandDefinition = (root, context) => {
  const command = root
    .command("receiver")
    .description("Certifies a webhook receiver: sends it genuine, forged, outdated and repeated events.")
    .option("--url <url>", "URL of the receiver; may have a query")
    .option("--secret <secret>", "the receiver's secret, whsec_…; safer in CONFORM_WEBHOOK_SECRET")
    .option(
      "--effects <url>",
      "URL of the receiver's effects interface; without this flag, the level effects isn't verified",
    )
    .option(
      "--effect-within <duration>",
      "how long after the response an event may take effect, including retries by a worker (default: 30s)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one), of which only event_types, statuses, without and as_of are used",
    )
    .option(
      "--event-types <list>",
      "event types of the receiver's subscription, such as delivery.assigned,delivery.delivered (default: the fourteen types of a subscription that lists no types)",
      commaSeparated,
    )
    .option(
      "--statuses <list>",
      "status strings that the receiver expects, such as delivered=TESLIM,failed=OLMADI (default: the strings that the specification gives)",
      commaSeparated,
    )
    .option(
      "--jobs <number>",
      "number of checks, or of events to a slow receiver, at the same time (default: depends on latency)",
    )
    .option("--timeout <duration>", "how long to wait for one response (default and maximum: 15s)");
  commonOptions(command, "receiver")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "Flags override the environment (CONFORM_RECEIVER_URL, CONFORM_WEBHOOK_SECRET,\n" +
        "CONFORM_EFFECTS_URL, CONFORM_EVENT_TYPES, CONFORM_STATUSES, CONFORM_CONFIG,\n" +
        "CONFORM_CLAIMS, CONFORM_WITHOUT, CONFORM_AS_OF, CONFORM_SEED). Put secrets into the\n" +
        "environment: other users of the machine can read a command line. For an https\n" +
        "URL with a private CA, set NODE_EXTRA_CA_CERTS to the CA's file.",
    )
    .action(async (flags: ReceiverFlags & CatalogueFlags) => {
      const output = context.output(flags);
      if (await listOrExplain(flags, output, catalogue)) return;
      const settings = receiverSettings(flags, context.environment);
      const { certifyReceiver } = await import("./receiver.ts");
      context.exit((await certifyReceiver(settings, output, context.runInterruption())).exit_code);
    });
};
