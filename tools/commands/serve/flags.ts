import { type CommandDefinition, patterns, several } from "../command-context.ts";
import type { ServeFlags } from "./settings.ts";

export const defineServe: CommandDefinition = (root, context) => {
  root
    .command("serve")
    .description(
      "Serves a sandbox until Ctrl-C: the reference server with simulated couriers and a console in the browser. " +
        "With --forward-to its events arrive at a receiver on this machine.",
    )
    .option("--port <number>", "port to listen on; 0 picks a free one (default: 8080)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option(
      "--database <file>",
      "keep everything in this SQLite file, with the same credentials at each start (default: in memory)",
    )
    .option(
      "--forward-to <url>",
      "send the first integrator's events there, signed; localhost:3000/hooks is enough; may be given several times (or FORWARD_TO, with commas)",
      several,
    )
    .option(
      "--forward-header <header>",
      'send a header along with them, such as "x-tenant: moda"; may be given several times',
      several,
    )
    .option(
      "--secret <secret>",
      "what forwarded events are signed with, whsec_…; better in WEBHOOK_SECRET (default: a new one, printed)",
    )
    .option(
      "--events <kinds>",
      "the kinds that are forwarded, or all (default: all but delivery.courier_location)",
    )
    .option(
      "--client-id <id>",
      "the first integrator's client_id; its secret stands in CLIENT_SECRET (or CLIENT_ID)",
    )
    .option(
      "--pairing-code <code>",
      "a code for its first restaurant; may be given several times (or PAIRING_CODE)",
      patterns,
    )
    .option("--speed <times>", "simulated couriers are so many times as fast as real ones (default: 60)")
    .option("--seed <text>", "decides what couriers do where it is left to chance (default: 1)")
    .option("--couriers <number>", "couriers on shift for each restaurant that is linked (default: 3)")
    .option("--logs [which]", "print a line for each API request and each event: all, or errors")
    .option("--latency <duration>", "delay every answer, such as 300ms")
    .option("--error-rate <percent>", "answer 500 to this share of requests, such as 2%")
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
Couriers drive for integrators made by this command or in the console, not for those of a conformance run.

A request to the sandbox can ask for a fault by itself: "Prefer: code=429", "Prefer: code=HIZ_SINIRI", "Prefer: delay=2s".
That is the sandbox's own, and no part of the service; nothing is done for a request that is refused so.

Environment: CONTROL_TOKEN is the token of console and control interface, CLIENT_SECRET the first integrator's,
WEBHOOK_SECRET that of forwarded events; each is made up, and printed, where it isn't set. PUBLIC_URL is the address
that the sandbox is reached at, where that isn't where it listens.`,
    )
    .action(async (flags: ServeFlags) => {
      const { serveSettings } = await import("./settings.ts");
      const settings = serveSettings(flags, context.environment);
      const { serve } = await import("./serve.ts");
      const output = context.output({ json: flags.json ?? false });
      context.exit(await serve(settings, output, context.interruption()));
    });
};
