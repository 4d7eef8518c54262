import type { CommandDefinition } from "../command-context.ts";
import { type SamplesFlags, samplesSettings } from "./settings.ts";

export const defineSamples: CommandDefinition = (root, context) => {
  root
    .command("samples")
    .description(
      "Writes a signed event of each kind, as the reference server sends it: for tests of a receiver, in any language.",
    )
    .option("--out <dir>", "folder for the files, one for each kind (default: samples)")
    .option(
      "--secret <secret>",
      "what they are signed with, whsec_…; or CONFORM_WEBHOOK_SECRET (default: a new one)",
    )
    .option("--at <instant>", "when they were sent, such as 2030-05-01T15:30:00Z (default: now)")
    .option("--seed <text>", "decides their ids; with --at and --secret the files are the same each time")
    .option("--json", "all of them in one array on standard output, and no files")
    .addHelpText(
      "after",
      `
Each file is a JSON object: type, secret, headers, body (text) and body_base64 (the bytes that were signed).
A receiver refuses what is older than five minutes: make them where your tests run, or fix the time with --at
and set your test's clock to it. Each file contains the secret: use one for tests.`,
    )
    .action(async (flags: SamplesFlags) => {
      const settings = samplesSettings(flags, context.environment);
      const { writeSamples } = await import("./samples.ts");
      await writeSamples(settings, context.output(flags));
    });
};
