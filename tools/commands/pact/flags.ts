import type { CommandDefinition } from "../command-context.ts";
import { type ConformFlags, conformSettings } from "../conform/settings.ts";
import { targetOptions } from "../shared-flags.ts";

export const definePact: CommandDefinition = (root, context) => {
  const command = root
    .command("pact")
    .description(
      "Verifies a server against a consumer's contract: what a point of sale needs, or a pact file of your own.",
    )
    .option(
      "--pact <file>",
      "a pact file (default: the point of sale's, suites/server/pact/point-of-sale.json)",
    );
  targetOptions(command)
    .option("--no-color", "plain text")
    .addHelpText(
      "after",
      `
A contract's states are brought about by the control interface; those that there are: an integrator, a pairing code,
a linked store, a delivery, a delivery that the courier has. Messages name their kind of event in the description.
A request whose header in the contract is "authorization: Bearer …", whatever stands there, is given a token of the
server; one without it is sent as it stands. What a state makes, such as delivery_id, a contract takes with a generator
(fromProviderState). Exit codes: 0 all hold, 1 one doesn't, 2 one could not be tried, or it was interrupted, 3 usage or configuration.`,
    )
    .action(async (flags: ConformFlags & { pact?: string }) => {
      const settings = conformSettings(flags, context.environment);
      const { verifyContract } = await import("./pact.ts");
      context.exit(await verifyContract(settings, flags.pact, context.output(flags), context.interruption()));
    });
};
