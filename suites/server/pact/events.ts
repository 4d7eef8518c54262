import { ALL_KINDS, type EventKind, TEST_KIND } from "../../core/contract/event-kinds.ts";
import type { COURIER_ACTIONS } from "../../core/control.ts";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import { isOfKind } from "../session/webhook-receiver/attempt.ts";
import { newDeliveryId } from "./states.ts";

const EVENT_TIMEOUT_MS = 15_000;

/** An event that a contract may expect, with the capabilities and actions that cause it. */
interface EventSource {
  readonly needs: readonly Capability[];
  cause(context: FullContext, subscriptionId: string): Promise<void>;
}

const creationSource: EventSource = {
  needs: ["receiver"],
  cause: async (context) => void (await newDeliveryId(context)),
};

const courierActionSource = (step: (typeof COURIER_ACTIONS)[number]): EventSource => ({
  needs: ["receiver", "courier"],
  cause: async (context) => context.performCourierActionsUpTo(await newDeliveryId(context), step),
});

/** How to cause an event of each type that contracts support. */
const EVENTS: Readonly<Partial<Record<EventKind, EventSource>>> = {
  "webhook.test": {
    needs: ["receiver"],
    cause: async ({ api }, id) => void (await api.call("testWebhook", { path: { id } })).expectSuccess(),
  },
  "delivery.created": creationSource,
  "delivery.queued": creationSource,
  "delivery.updated": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await newDeliveryId(context);
      (await context.api.updateDelivery(id, { notes: "Zile basmayın" })).expectSuccess();
    },
  },
  "delivery.cancelled": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await newDeliveryId(context);
      (await context.api.cancelDelivery(id, "Müşteri vazgeçti")).expectSuccess();
    },
  },
  "delivery.offered": courierActionSource("offered"),
  "delivery.assigned": courierActionSource("assigned"),
  "delivery.at_pickup": courierActionSource("at_pickup"),
  "delivery.picked_up": courierActionSource("picked_up"),
  "delivery.en_route": courierActionSource("en_route"),
  "delivery.arrived": courierActionSource("arrived"),
  "delivery.delivered": courierActionSource("delivered"),
};

/** The event type in a description, with the required capabilities; undefined without a known type. */
export function eventIn(description: string): { kind: EventKind; needs: readonly Capability[] } | undefined {
  const kind = ALL_KINDS.find((one) => EVENTS[one] !== undefined && description.includes(one));
  const needs = kind && EVENTS[kind]?.needs;
  return kind && needs && { kind, needs };
}

/** Causes an event of the type, and returns its body. */
export async function eventOf(kind: EventKind, context: FullContext): Promise<unknown> {
  const options = kind === TEST_KIND ? {} : { event_types: [kind] };
  const { id, inbox } = await context.subscribe(options);
  try {
    await EVENTS[kind]?.cause(context, id);
    const { json } = await inbox.waitForFirst(isOfKind(kind), kind, EVENT_TIMEOUT_MS);
    return json;
  } finally {
    // Frees the endpoint, because a contract may expect more events than an integrator has endpoints.
    await context.api.call("deleteWebhook", { path: { id } });
  }
}
