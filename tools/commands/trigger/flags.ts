import { UsageError } from "../../usage-error.ts";
import { type CommandDefinition, repeatable } from "../command-context.ts";
import type { TriggerFlags } from "./settings.ts";

export const defineTrigger: CommandDefinition = (root, context) => {
  root
    .command("trigger")
    .argument("[type]", "the event type, such as delivery.failed")
    .description(
      "Makes a running sandbox (see serve) send events: simulates a delivery up to the given event type, " +
        "including all events before it.",
    )
    .option("--list", "list the event types, and when each is sent")
    .option("--single", "send only the event of this type, without the events before it")
    .option(
      "--order <id>",
      "continue the delivery with this order number or delivery id; create it if no delivery has this number",
    )
    .option(
      "--set <field=value>",
      "set a field of the delivery, such as customer.note=…; may be given several times",
      repeatable,
    )
    .option(
      "--data <file>",
      "a JSON file with fields of the delivery, with the names in the body of POST /v1/deliveries",
    )
    .option("--again <webhook-id>", "send the past event with this webhook-id again, instead of a new event")
    .option(
      "--count <number>",
      "number of deliveries to simulate; more than 100 are simulated in batches (default: 1)",
    )
    .option("--repeat <number>", "how many times to send each event, with the same webhook-id (default: 1)")
    .option("--out-of-order", "send the last event first")
    .option(
      "--parallel",
      "send all events at the same time (default: each after the response to the previous one)",
    )
    .option(
      "--client-id <id>",
      "the integrator whose endpoints get the events (default: the sandbox's first integrator)",
    )
    .option(
      "--control-url <url>",
      "URL of the sandbox's control interface (default: http://127.0.0.1:8080/control; or CONFORM_CONTROL_URL)",
    )
    .option("--json", "print the sent events as JSON")
    .addHelpText(
      "after",
      `
Set CONTROL_TOKEN (or CONFORM_CONTROL_TOKEN) to the control token that serve prints.
The sandbox signs the events, and retries them if an endpoint fails; it doesn't retry copies (--repeat). The API
returns their deliveries. The sandbox's terminal (--forward-to) and its console show the receiver's responses.
  trigger delivery.failed --order 1042 --set customer.note="ring twice"   order 1042 fails
  trigger delivery.delivered --out-of-order                tests that your receiver orders by data.version
  trigger delivery.created --single --repeat 10 --parallel   tests that your receiver drops duplicates by webhook-id`,
    )
    .action(async (kind: string | undefined, flags: TriggerFlags) => {
      const output = context.output({ json: flags.json ?? false });
      const { listKinds, trigger } = await import("./trigger.ts");
      if (flags.list && kind !== undefined)
        throw new UsageError(`--list takes no event type, not ${kind}: omit one of them`);
      if (flags.list) return listKinds(output);
      const { triggerSettings } = await import("./settings.ts");
      await trigger(triggerSettings(kind, flags, context.environment), output);
    });
};
