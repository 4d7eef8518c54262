import type { CommandDefinition } from "../command-context.ts";
import type { ServeFlags } from "./serve.ts";

export const defineServe: CommandDefinition = (root, context) => {
  root
    .command("serve")
    .description(
      "Serves a sandbox until Ctrl-C: the reference server with simulated couriers and a console in the browser. " +
        "CONTROL_TOKEN sets the token of console and control interface.",
    )
    .option("--port <number>", "port to listen on; 0 picks a free one (default: 8080)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--database <file>", "keep everything in this SQLite file (default: in memory)")
    .option("--speed <times>", "simulated couriers are so many times as fast as real ones (default: 60)")
    .option("--seed <text>", "decides what couriers do where it is left to chance (default: 1)")
    .option("--no-simulator", "couriers move only by hand")
    .option("--json", "print addresses and credentials as JSON")
    .addHelpText(
      "after",
      `
A simulated courier takes a delivery the ordinary way unless its notes ask for another, in English or Turkish:
  sim: failed at the door | kapıda teslim edilemedi
  sim: returned           | iade
  sim: offer lapses twice | teklif iki kez düşer
  sim: nobody free        | boşta kurye yok
  sim: by hand            | elle
Couriers drive for integrators made by this command or in the console, not for those of a conformance run.`,
    )
    .action(async (flags: ServeFlags) => {
      const { serve } = await import("./serve.ts");
      const output = context.output({ json: flags.json ?? false });
      context.exit(await serve(flags, context.environment, output, context.interruption()));
    });
};
