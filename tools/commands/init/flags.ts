import { type CommandDefinition, patterns } from "../command-context.ts";
import type { InitFlags } from "./init.ts";

export const defineInit: CommandDefinition = (root, context) => {
  root
    .command("init")
    .description("Writes conform.yaml: asks for the address and a way in, and tries them.")
    .option("--url <url>", "base address of the service")
    .option("--control-url <url>", "address of its control interface; its token is in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; its secret is in CONFORM_CLIENT_SECRET")
    .option("--pairing-code <code>", "an unused pairing code; as often as there are codes", patterns)
    .addHelpText(
      "after",
      "\nAt a terminal it asks for what is missing. Secrets stay in the environment: the file refers to\n" +
        "their variables. Nothing is written if the service can't be reached or refuses them.\n" +
        "Exit codes: 0 written, 3 anything else.",
    )
    .action(async (flags: InitFlags) => {
      const { init, terminalQuestions } = await import("./init.ts");
      const questions = process.stdin.isTTY === true ? terminalQuestions() : undefined;
      await init(flags, context.environment, context.output(), questions);
    });
};
