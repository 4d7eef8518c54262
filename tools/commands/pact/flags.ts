import type { CommandDefinition } from "../command-context.ts";
import { type ConformFlags, conformSettings } from "../conform/settings.ts";
import { targetOptions } from "../shared-flags.ts";

export const definePact: CommandDefinition = (root, context) => {
  const command = root
    .command("pact")
    .description(
      "Verifies a server against a consumer's Pact contract: the contract of a point of sale, or your own.",
    )
    .option(
      "--pact <file>",
      "a pact file (default: the contract of a point of sale, suites/server/pact/point-of-sale.json)",
    );
  targetOptions(command)
    .option("--no-color", "print without colours")
    .addHelpText(
      "after",
      `
The suite sets up a contract's states through the control interface. Known states: an integrator, a pairing code,
a linked store, a delivery, a delivery that the courier has. A state's values, such as delivery_id, are available to
generators (fromProviderState). The description of a message must contain its event type. If a request of the contract has
the header "authorization: Bearer …", the suite replaces the token with one of the server.
Exit codes: 0 all interactions passed, 1 one failed, 2 one was not verified or the run was interrupted, 3 usage or
configuration.`,
    )
    .action(async (flags: ConformFlags & { pact?: string }) => {
      const settings = conformSettings(flags, context.environment);
      const { verifyContract } = await import("./pact.ts");
      context.exit(await verifyContract(settings, flags.pact, context.output(flags), context.interruption()));
    });
};
