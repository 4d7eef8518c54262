import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { LEVELS } from "../../suites/core/claims.ts";

/** The levels that --claims completes, by command. */
const CLAIMS = { conform: LEVELS.server, receiver: LEVELS.receiver, client: LEVELS.client } as const;

/** Adds `complete <shell>`, which prints a script that completes commands, flags and levels. */
export function defineCompletion(root: Command): void {
  const completion = tab(root);
  for (const [name, levels] of Object.entries(CLAIMS)) {
    const claims = completion.commands.get(name)?.options.get("claims");
    if (!claims) continue;
    claims.handler = (complete) => {
      for (const level of levels) complete(level, "");
    };
  }
}
