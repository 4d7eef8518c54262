import type { Command } from "commander";
import { commandInPipe, commandLine, commandWith } from "../../../suites/core/command-line.ts";
import type { CommandDefinition } from "../command-context.ts";
import type { SignFlags, WebhookFlags } from "./settings.ts";

const SECRET_HELP = `
Set the secret in WEBHOOK_SECRET or in a file (--secret-file): other users can see flags in the process list.`;

const defineInput = (command: Command): Command =>
  command
    .argument("[file]", "file with the captured webhook; without it, or with -, standard input is read")
    .option(
      "--headers <file>",
      "the webhook's headers, as lines or as a JSON object (instead of the captured webhook)",
    )
    .option("--body <file>", "the webhook's body, byte for byte")
    .option("--secret-file <file>", "a file with the endpoint's secret, whsec_… (default: WEBHOOK_SECRET)")
    .option("--secret <secret>", "the endpoint's secret; safer in WEBHOOK_SECRET or --secret-file")
    .option("--json", "print the result as JSON");

export const defineWebhook: CommandDefinition = (root, context) => {
  const webhook = root.command("webhook").description("Verifies or signs one webhook, without a server.");
  defineInput(webhook.command("verify"))
    .description(
      "Verifies the signature of a captured webhook; if it is invalid, names the common mistake that explains it.",
    )
    .option(
      "--at <instant>",
      "time of arrival, to compare the webhook's timestamp with, such as 2030-05-01T15:30:00Z (default: now)",
    )
    .addHelpText(
      "after",
      `
A captured webhook is a curl command (the console's "Copy as curl"), an HTTP request (headers, an empty line, the body), or a
file of ${commandLine("samples")}. Exit code 0: valid; 1: invalid; 3: wrong usage, such as a missing secret.
${SECRET_HELP.trim()}
  pbpaste | WEBHOOK_SECRET=whsec_… ${commandInPipe("webhook", "verify")}
  ${commandWith("webhook", "verify")} --headers headers.txt --body body.json --secret-file secret.txt`,
    )
    .action(async (file: string | undefined, flags: WebhookFlags) => {
      const { verifySettings } = await import("./settings.ts");
      const { verify } = await import("./verify.ts");
      const output = context.output({ json: flags.json ?? false });
      context.exit(verify(verifySettings(file, flags, context.environment), output));
    });
  defineInput(webhook.command("sign"))
    .description("Signs a body and prints the headers; with --url, prints the curl command that sends it.")
    .option("--id <id>", "the webhook-id (default: the captured webhook's id, or the event's)")
    .option("--at <instant>", "time in the webhook's timestamp, such as 2030-05-01T15:30:00Z (default: now)")
    .option("--url <url>", "print the curl command that sends the webhook to this URL")
    .addHelpText(
      "after",
      `
Give a body (--body event.json), or a captured webhook, which keeps its webhook-id.
${SECRET_HELP.trim()}
  WEBHOOK_SECRET=whsec_… ${commandInPipe("webhook", "sign")} --body event.json --url http://localhost:3000/hooks | sh`,
    )
    .action(async (file: string | undefined, flags: SignFlags) => {
      const { signSettings } = await import("./settings.ts");
      const { sign } = await import("./sign.ts");
      sign(signSettings(file, flags, context.environment), context.output({ json: flags.json ?? false }));
    });
};
