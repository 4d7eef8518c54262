import type { CommandDefinition } from "../command-context.ts";
import type { VerifyFlags } from "./verify.ts";

export const defineVerify: CommandDefinition = (root, context) => {
  root
    .command("verify")
    .description(
      "Verifies a report: recomputes the verdict from the results, and verifies digests and signature.",
    )
    .argument("<report>", "a report's folder, or its report.json")
    .option("--key <file>", "public key (a file in PEM) to verify the signature of attestation.dsse.json")
    .option("--no-color", "print without colours")
    .addHelpText(
      "after",
      `
A valid report is consistent: this suite computes the same verdict from its results. It doesn't prove that the server
named in it produced these results: for that, you have to trust the report's author. A signature identifies the author.
Exit codes: 0 valid, 1 invalid, 3 usage, or an unreadable file.`,
    )
    .action(async (report: string, flags: VerifyFlags) => {
      const { verifyReport } = await import("./verify.ts");
      context.exit(await verifyReport(report, flags, context.output(flags)));
    });
};
