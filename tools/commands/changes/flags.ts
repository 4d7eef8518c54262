import type { CommandDefinition } from "../command-context.ts";
import type { ChangesFlags } from "./changes.ts";

export const defineChanges: CommandDefinition = (root, context) => {
  root
    .command("changes")
    .description(
      "Lists what is judged otherwise than in an earlier version: check by check, clause by clause.",
    )
    .argument("<from>", "a version that was released (0.1.0), or any name that git has for a commit")
    .argument("[to]", "the same; where nothing is said, the files as they are")
    .option("--json", "print the changes as JSON")
    .addHelpText(
      "after",
      `
Added and tightened may fail a subject that passed before; loosened and removed can't. Of an altered check only its steps
differ: whether it demands more, its lines tell. It is named too where the steps are those of a function that it calls.
Exit codes: 0 whatever was found, 3 usage.`,
    )
    .action(async (from: string, to: string | undefined, flags: ChangesFlags) => {
      const { listChanges } = await import("./changes.ts");
      context.exit(await listChanges(from, to, context.output(flags)));
    });
};
