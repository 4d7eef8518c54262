import type { ServeFlags } from "../commands/serve.ts";
import type { CommandDefinition } from "./context.ts";

export const defineServe: CommandDefinition = (root, context) => {
  root
    .command("serve")
    .description(
      "Serves the reference server until Ctrl-C. CONTROL_TOKEN sets the control interface's token.",
    )
    .option("--port <number>", "port to listen on; 0 picks a free one (default: 8080)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--database <file>", "keep everything in this SQLite file (default: in memory)")
    .action(async (flags: ServeFlags) => {
      const { serve } = await import("../commands/serve.ts");
      context.exit(await serve(flags, context.environment, context.output(), context.interruption()));
    });
};
