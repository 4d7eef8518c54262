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
    .option("--url <url>", "address of the receiver; may have a query")
    .option("--secret <secret>", "the receiver's secret, whsec_…; better in CONFORM_WEBHOOK_SECRET")
    .option(
      "--effects <url>",
      "address of the receiver's effects interface; without it the level effects isn't verified",
    )
    .option(
      "--effect-within <duration>",
      "how long after the response an event may take effect, including retries by a worker (default: 30s)",
    )
    .option(
      "--config <file>",
      "settings file (default: ./conform.yaml if there is one); only its event_types, statuses, without and as_of apply",
    )
    .option(
      "--event-types <list>",
      "event types of the receiver's subscription, such as delivery.assigned,delivery.delivered (default: the fourteen types of a subscription that names none)",
      commaSeparated,
    )
    .option(
      "--statuses <list>",
      "status strings that the receiver expects, such as delivered=TESLIM,failed=OLMADI (default: only those in the specification)",
      commaSeparated,
    )
    .option("--jobs <number>", "checks, and events of a slow receiver, at a time (default: by latency)")
    .option("--timeout <duration>", "how long to wait for one response (default and maximum: 15s)");
  commonOptions(command, "receiver")
    .addHelpText(
      "after",
      `${EXIT_CODES_HELP}\n` +
        "Settings come from flags, then from CONFORM_RECEIVER_URL, CONFORM_WEBHOOK_SECRET,\n" +
        "CONFORM_EFFECTS_URL, CONFORM_EVENT_TYPES, CONFORM_STATUSES, CONFORM_CONFIG,\n" +
        "CONFORM_CLAIMS, CONFORM_WITHOUT, CONFORM_AS_OF and CONFORM_SEED. Put secrets into the\n" +
        "environment: other users of the machine can read a command line. For an https\n" +
        "address with a private CA, set NODE_EXTRA_CA_CERTS to its file.",
    )
    .action(async (flags: ReceiverFlags & CatalogueFlags) => {
      const output = context.output(flags);
      if (await listOrExplain(flags, output, catalogue)) return;
      const settings = receiverSettings(flags, context.environment);
      const { certifyReceiver } = await import("./receiver.ts");
      context.exit((await certifyReceiver(settings, output, context.runInterruption())).exit_code);
    });
};
