import { type CommandDefinition, commaSeparated } from "../command-context.ts";
import type { InitFlags } from "./init.ts";

export const defineInit: CommandDefinition = (root, context) => {
  root
    .command("init")
    .description("Asks for the service's URL and credentials, tries them, and writes conform.yaml.")
    .option("--url <url>", "base URL of the service")
    .option(
      "--control-url <url>",
      "URL of the service's control interface, whose token is in CONFORM_CONTROL_TOKEN",
    )
    .option("--client-id <id>", "an integrator's client id; the secret is in CONFORM_CLIENT_SECRET")
    .option("--pairing-code <code>", "an unused pairing code; may be given several times", commaSeparated)
    .addHelpText(
      "after",
      "\nAt a terminal, the command asks for missing values. conform.yaml contains no secrets: it refers to the\n" +
        "environment variables that hold them. If the service is unreachable or refuses the credentials, nothing\n" +
        "is written. Exit codes: 0 conform.yaml was written, 3 it wasn't.",
    )
    .action(async (flags: InitFlags) => {
      const { init, askOnTerminal } = await import("./init.ts");
      const ask = process.stdin.isTTY === true ? askOnTerminal : undefined;
      await init(flags, context.environment, context.output(), ask);
    });
};
