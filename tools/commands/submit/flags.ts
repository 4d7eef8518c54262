import type { CommandDefinition } from "../command-context.ts";
import type { SubmitFlags } from "./submit.ts";

export const defineSubmit: CommandDefinition = (root, context) => {
  root
    .command("submit")
    .description("Checks a report, and prints the pull request that adds it to the published results.")
    .argument("<report>", "a report's folder, or its report.json")
    .requiredOption("--name <name>", "the implementation's name, such as 'Acme Dispatch'")
    .requiredOption("--release <version>", "its version, such as 1.2.0")
    .requiredOption("--by <maker>", "who makes the implementation")
    .requiredOption("--url <url>", "its home page (https)")
    .option("--json", "print files and text as JSON")
    .addHelpText(
      "after",
      `
Nothing is sent or written. The report contains addresses and responses of the target: read it first.
Exit codes: 0 the report can be submitted, 1 it is refused, 3 usage, or an unreadable file.`,
    )
    .action(async (report: string, flags: SubmitFlags & { json?: boolean }) => {
      const { submit } = await import("./submit.ts");
      context.exit(await submit(report, flags, context.output(flags)));
    });
};
