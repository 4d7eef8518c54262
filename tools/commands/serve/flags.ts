import { type CommandDefinition, commaSeparated, repeatable } from "../command-context.ts";
import type { ServeFlags } from "./settings.ts";

export const defineServe: CommandDefinition = (root, context) => {
  root
    .command("serve")
    .description(
      "Serves a sandbox until Ctrl-C: the reference server with simulated couriers and a console in the browser. " +
        "--forward-to sends its events to a receiver on this machine.",
    )
    .option("--port <number>", "port to listen on; 0 for any free port (default: 8080)")
    .option("--host <address>", "IP address to listen on (default: 127.0.0.1)")
    .option(
      "--database <file>",
      "store all data in this SQLite file, with the same credentials at each start (default: in memory)",
    )
    .option(
      "--forward-to <url>",
      "send the first integrator's signed events to this receiver, such as localhost:3000/hooks; may be given up to five times (or FORWARD_TO, separated by commas)",
      repeatable,
    )
    .option(
      "--forward-header <header>",
      'add a header to forwarded events, such as "x-tenant: moda"; may be given several times',
      repeatable,
    )
    .option(
      "--secret <secret>",
      "secret that signs forwarded events, whsec_…; safer in WEBHOOK_SECRET (default: a new secret, which is printed)",
    )
    .option(
      "--events <types>",
      "event types to forward, separated by commas, or all (default: all except delivery.courier_location)",
    )
    .option(
      "--client-id <id>",
      "the first integrator's client_id (or CLIENT_ID); the secret is in CLIENT_SECRET",
    )
    .option(
      "--pairing-code <code>",
      "an unused pairing code of the first integrator; may be given several times (or PAIRING_CODE)",
      commaSeparated,
    )
    .option(
      "--speed <times>",
      "speed of the simulated couriers, as a multiple of a real courier's (default: 60)",
    )
    .option("--seed <text>", "seed of the couriers' random choices (default: 1)")
    .option("--couriers <number>", "couriers on shift for each new restaurant (default: 3)")
    .option(
      "--logs [which]",
      "print a line for each API request and each event: all (without a value), or errors for errors only",
    )
    .option("--latency <duration>", "delay every response, such as 300ms")
    .option("--error-rate <percent>", "respond with 500 to this share of the requests, such as 2%")
    .option(
      "--no-simulator",
      "no simulated couriers: move couriers in the console or through the control interface",
    )
    .option("--json", "print URLs and credentials as JSON")
    .addHelpText(
      "after",
      `
A simulated courier delivers the order unless the delivery's notes select another outcome, in English or Turkish:
  sim: failed at the door | kapıda teslim edilemedi
  sim: returned           | iade
  sim: offer lapses twice | teklif iki kez düşer
  sim: nobody free        | boşta kurye yok
  sim: by hand            | elle
Simulated couriers serve integrators that this command or the console created, not those of a conformance run.

A request can ask for a fault with a header: "Prefer: code=429", "Prefer: code=HIZ_SINIRI", "Prefer: delay=2s".
The header is a feature of the sandbox, not of the service. A request that gets such an error changes nothing.

Environment: CONTROL_TOKEN is the token of the console and the control interface, CLIENT_SECRET the first integrator's
secret, WEBHOOK_SECRET the secret that signs forwarded events. The sandbox generates and prints those that aren't set.
PUBLIC_URL is the sandbox's public address if it differs from the one it listens on.`,
    )
    .action(async (flags: ServeFlags) => {
      const { serveSettings } = await import("./settings.ts");
      const settings = serveSettings(flags, context.environment);
      const { serve } = await import("./serve.ts");
      const output = context.output({ json: flags.json ?? false });
      context.exit(await serve(settings, output, context.interruption()));
    });
};
