import { type CommandDefinition, patterns } from "../command-context.ts";
import type { InitFlags } from "./init.ts";

export const defineInit: CommandDefinition = (root, context) => {
  root
    .command("init")
    .description("Asks for the service's address and credentials, tries them, and writes conform.yaml.")
    .option("--url <url>", "base URL of the service")
    .option("--control-url <url>", "address of its control interface; its token is in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; its secret is in CONFORM_CLIENT_SECRET")
    .option("--pairing-code <code>", "an unused pairing code; may be given several times", patterns)
    .addHelpText(
      "after",
      "\nAt a terminal it asks for missing values. Secrets stay in the environment: the file refers to\n" +
        "their variables. Nothing is written if the service is unreachable or refuses the credentials.\n" +
        "Exit codes: 0 the file is written, 3 it isn't.",
    )
    .action(async (flags: InitFlags) => {
      const { init, terminalQuestions } = await import("./init.ts");
      const questions = process.stdin.isTTY === true ? terminalQuestions() : undefined;
      await init(flags, context.environment, context.output(), questions);
    });
};
