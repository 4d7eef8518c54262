import type { CommandDefinition } from "../command-context.ts";
import type { ResultsFlags } from "./results.ts";

export const defineResults: CommandDefinition = (root, context) => {
  root
    .command("results")
    .description("Verifies all published results, and lists the implementations with their certified levels.")
    .argument("[folder]", "folder with the results, FOLDER/IMPLEMENTATION/VERSION (default: results)")
    .option(
      "--fetch",
      "also verify reports of other versions of the suite; downloads these versions from the npm registry",
    )
    .option("--json", "print the results as JSON")
    .option("--no-color", "print without colours")
    .addHelpText(
      "after",
      `
A result is a folder with implementation.yaml, report.json and attestation.json, and attestation.dsse.json if it is signed.
results/README.md says how to submit one, and what is verified.
Exit codes: 0 all results are valid, 1 a result is invalid, 3 usage error.`,
    )
    .action(async (folder: string | undefined, flags: ResultsFlags) => {
      const { verifyResults } = await import("./results.ts");
      context.exit(await verifyResults(folder ?? "results", flags, context.output(flags)));
    });
};
