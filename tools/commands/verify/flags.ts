import type { CommandDefinition } from "../command-context.ts";
import type { VerifyFlags } from "./verify.ts";

export const defineVerify: CommandDefinition = (root, context) => {
  root
    .command("verify")
    .description(
      "Verifies a report: recomputes its verdict from its checks, and compares digests and signature.",
    )
    .argument("<report>", "a report's folder, or its report.json")
    .option("--key <file>", "public key in PEM that attestation.dsse.json has to be signed with")
    .option("--no-color", "plain text")
    .addHelpText(
      "after",
      `
A report that fits is one that this suite would have made of these outcomes of checks. That the checks ended so on the
server that is named, only a signature vouches for, as far as whoever holds the key is believed.
Exit codes: 0 all of it fits, 1 something doesn't, 3 usage, or a file that can't be read.`,
    )
    .action(async (report: string, flags: VerifyFlags) => {
      const { verifyReport } = await import("./verify.ts");
      context.exit(await verifyReport(report, flags, context.output(flags)));
    });
};
