import { type CommandDefinition, several } from "../command-context.ts";
import type { TriggerFlags } from "./settings.ts";

export const defineTrigger: CommandDefinition = (root, context) => {
  root
    .command("trigger")
    .argument("[kind]", "the kind of event, such as delivery.failed")
    .description(
      "Has events sent by a sandbox that runs (serve): plays a delivery to the kind of event that is named, " +
        "with everything that comes before it.",
    )
    .option("--list", "show the kinds of events, and when each is sent")
    .option("--alone", "send that event alone, without those that lead to it")
    .option("--order <id>", "play the order with this number (or delivery id), or open it under this number")
    .option(
      "--set <field=value>",
      "a field of the delivery, such as customer.note=…; may be given several times",
      several,
    )
    .option("--data <file>", "a JSON file with fields of the delivery, as POST /v1/deliveries takes them")
    .option("--again <webhook-id>", "send this past event again, instead of a new one")
    .option("--count <number>", "play so many deliveries, beyond 100 in batches (default: 1)")
    .option("--repeat <number>", "send each event so often, with the same webhook-id (default: 1)")
    .option("--out-of-order", "send the last event first")
    .option(
      "--at-once",
      "send all of them at the same time (default: each once the one before it is answered)",
    )
    .option("--client-id <id>", "the integrator whose addresses they go to (default: the sandbox's first)")
    .option(
      "--control-url <url>",
      "the sandbox's control interface (default: http://127.0.0.1:8080/control; or CONFORM_CONTROL_URL)",
    )
    .option("--json", "print what is sent as JSON")
    .addHelpText(
      "after",
      `
CONTROL_TOKEN (or CONFORM_CONTROL_TOKEN) is the control token that serve prints; it is taken from the environment alone.
Events are genuine: signed, about a delivery that GET shows, and retried where an address fails. Copies (--repeat) aren't.
What the address answers stands on the sandbox's terminal (--forward-to) and in its console.
  trigger delivery.failed --order 1042 --set customer.note="ring twice"   the order 1042 fails
  trigger delivery.delivered --out-of-order       a receiver orders events by data.version
  trigger delivery.created --alone --repeat 10 --at-once   and drops duplicates by webhook-id, also ten at once`,
    )
    .action(async (kind: string | undefined, flags: TriggerFlags) => {
      const output = context.output({ json: flags.json ?? false });
      const { listKinds, trigger } = await import("./trigger.ts");
      if (flags.list) return listKinds(output);
      const { triggerSettings } = await import("./settings.ts");
      await trigger(triggerSettings(kind, flags, context.environment), output);
    });
};
