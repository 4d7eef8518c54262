import type { CommandDefinition } from "../command-context.ts";
import type { ResultsFlags } from "./results.ts";

export const defineResults: CommandDefinition = (root, context) => {
  root
    .command("results")
    .description("Verifies every result that was handed in, and says who is certified at which levels.")
    .argument("[folder]", "where they stand: FOLDER/IMPLEMENTATION/VERSION (default: results)")
    .option(
      "--fetch",
      "verify reports of other versions of the suite too, each by its own version from the registry",
    )
    .option("--json", "print them as JSON")
    .option("--no-color", "plain text")
    .addHelpText(
      "after",
      `
An entry is a folder with implementation.yaml, report.json and attestation.json, and with attestation.dsse.json where it is
signed. results/README.md says how one is handed in, and what is looked at.
Exit codes: 0 all are right, 1 one isn't, 3 usage.`,
    )
    .action(async (folder: string | undefined, flags: ResultsFlags) => {
      const { verifyResults } = await import("./results.ts");
      context.exit(await verifyResults(folder ?? "results", flags, context.output(flags)));
    });
};
