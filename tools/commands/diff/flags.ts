import type { CommandDefinition } from "../command-context.ts";

export const defineDiff: CommandDefinition = (root, context) => {
  root
    .command("diff")
    .description("Compares two reports: what was fixed, what is broken, and how verdict and time changed.")
    .argument("<before>", "the earlier report: its folder, or report.json")
    .argument("<after>", "the later one")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      "\nReports of other versions of the suite are accepted. Checks that either run left out aren't\n" +
        "compared. Exit codes: 0 no MUST check is broken, 1 one is, 3 usage.",
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
