import { type ConformFlags, conformSettings } from "../settings/conform.ts";
import { type CommandDefinition, patterns, several } from "./context.ts";

export const definePact: CommandDefinition = (root, context) => {
  root
    .command("pact")
    .description(
      "Verifies a server against a consumer's contract: what a point of sale needs, or a pact file of your own.",
    )
    .option("--pact <file>", "a pact file (default: the point of sale's, suites/pact/point-of-sale.json)")
    .option("--url <url>", "base address of the service (default: the embedded reference server)")
    .option("--image <name>", "container image to start, verify and stop")
    .option("--config <file>", "settings file (default: ./conform.yaml if there is one)")
    .option(
      "--control-url <url>",
      "address of the target's control interface; of an image also its path: /control",
    )
    .option("--control-token <token>", "its token; better in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id", several)
    .option("--client-secret <secret>", "its secret; better in CONFORM_CLIENT_SECRET", several)
    .option("--pairing-code <code>", "an unused pairing code; as often as there are codes", patterns)
    .option("--timeout <duration>", "how long one answer may take (default: 10s)")
    .option("--no-color", "plain text")
    .addHelpText(
      "after",
      "\nA contract's states are brought about by the control interface; those that there are: an integrator,\n" +
        "a pairing code, a linked store, a delivery, a delivery that the courier has. Messages name their kind of event\n" +
        "in the description. Exit codes: 0 all hold, 1 one doesn't, 2 one could not be tried, 3 usage or configuration.",
    )
    .action(async (flags: ConformFlags & { pact?: string }) => {
      const settings = conformSettings(flags, context.environment);
      const { verifyContract } = await import("../commands/pact.ts");
      context.exit(await verifyContract(settings, flags.pact, context.output(flags)));
    });
};
