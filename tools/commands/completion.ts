import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { declarations } from "../../openapi/generated/declarations.ts";
import { LEVELS } from "../../suites/core/contract/claims.ts";

/** The kind of target that each command certifies. */
const SUBJECTS = { conform: "server", receiver: "receiver", client: "client" } as const;

/** Adds the command `complete <shell>`. Its script completes commands, flags, levels and declarations. */
export function defineCompletion(root: Command): void {
  const completion = tab(root);
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    const options = completion.commands.get(name)?.options;
    const claims = options?.get("claims");
    const without = options?.get("without");
    if (claims) {
      claims.handler = (complete) => {
        for (const level of LEVELS[subject]) complete(level, "");
      };
    }
    if (without) {
      without.handler = (complete) => {
        for (const [declared, text] of Object.entries(declarations[subject])) complete(declared, text);
      };
    }
  }
}
