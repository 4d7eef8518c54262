import type { CommandDefinition } from "../command-context.ts";
import { type SamplesFlags, samplesSettings } from "./settings.ts";

export const defineSamples: CommandDefinition = (root, context) => {
  root
    .command("samples")
    .description("Writes a signed event of each type to files, for tests of a receiver in any language.")
    .option("--out <dir>", "folder for the files, one file for each event type (default: samples)")
    .option(
      "--secret <secret>",
      "secret that signs the events, whsec_… (or CONFORM_WEBHOOK_SECRET; default: a new secret)",
    )
    .option(
      "--at <instant>",
      "time at which the events appear to be sent, such as 2030-05-01T15:30:00Z (default: now)",
    )
    .option(
      "--seed <text>",
      "seed of the events' ids; the same --seed, --at and --secret give the same files",
    )
    .option("--json", "print all events as one JSON array instead of writing files")
    .addHelpText(
      "after",
      `
Each file is a JSON object: type, secret, headers, body (text) and body_base64 (the bytes that were signed).
A receiver refuses events older than five minutes: create the files at the start of the test run, or fix the time with
--at and set your test's clock to it. Each file contains the secret: use a secret that is only for tests.`,
    )
    .action(async (flags: SamplesFlags) => {
      const settings = samplesSettings(flags, context.environment);
      const { writeSamples } = await import("./samples.ts");
      await writeSamples(settings, context.output(flags));
    });
};
