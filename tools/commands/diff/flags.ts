import type { CommandDefinition } from "../command-context.ts";

export const defineDiff: CommandDefinition = (root, context) => {
  root
    .command("diff")
    .description("Compares two reports: fixed and broken checks, verdict and duration.")
    .argument("<before>", "the earlier report: its folder, or report.json")
    .argument("<after>", "the later report")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      "\nReports of other versions of the suite are accepted. Checks that ran in only one of the two runs aren't\n" +
        "compared. Exit codes: 0 no MUST check broke, 1 a MUST check broke, 3 usage error.",
    )
    .action(async (before: string, after: string, flags: { json?: boolean }) => {
      const [{ readSummary }, { compareRuns, comparisonText }] = await Promise.all([
        import("../../comparison/summary.ts"),
        import("../../comparison/compare.ts"),
      ]);
      const output = context.output(flags);
      const comparison = compareRuns(readSummary(before), readSummary(after));
      output.result(comparisonText(comparison));
      output.data(comparison);
      context.exit(comparison.broken.some(({ severity }) => severity !== "SHOULD") ? 1 : 0);
    });
};
