import { ALL_KINDS, type EventKind, TEST_KIND } from "../../core/contract/event-kinds.ts";
import type { COURIER_ACTIONS } from "../../core/control.ts";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import { isOfKind } from "../session/webhook-receiver/attempt.ts";
import { aDelivery } from "./states.ts";

const EVENT_MS = 15_000;

/** An event that a contract may expect, with the capabilities and actions that cause it. */
interface EventSource {
  readonly needs: readonly Capability[];
  cause(context: FullContext, subscriptionId: string): Promise<void>;
}

const byOpening: EventSource = {
  needs: ["receiver"],
  cause: async (context) => void (await aDelivery(context)),
};

const byCourier = (step: (typeof COURIER_ACTIONS)[number]): EventSource => ({
  needs: ["receiver", "courier"],
  cause: async (context) => context.performCourierActionsUpTo(await aDelivery(context), step),
});

/** How to cause an event of each type that contracts support. */
const EVENTS: Readonly<Partial<Record<EventKind, EventSource>>> = {
  "webhook.test": {
    needs: ["receiver"],
    cause: async ({ api }, id) => void (await api.call("testWebhook", { path: { id } })).expectSuccess(),
  },
  "delivery.created": byOpening,
  "delivery.queued": byOpening,
  "delivery.updated": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await aDelivery(context);
      (await context.api.updateDelivery(id, { notes: "Zile basmayın" })).expectSuccess();
    },
  },
  "delivery.cancelled": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await aDelivery(context);
      (await context.api.cancelDelivery(id, "Müşteri vazgeçti")).expectSuccess();
    },
  },
  "delivery.offered": byCourier("offered"),
  "delivery.assigned": byCourier("assigned"),
  "delivery.at_pickup": byCourier("at_pickup"),
  "delivery.picked_up": byCourier("picked_up"),
  "delivery.en_route": byCourier("en_route"),
  "delivery.arrived": byCourier("arrived"),
  "delivery.delivered": byCourier("delivered"),
};

/** The event type in a description, with the required capabilities; undefined for an unknown one. */
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
    const { json } = await inbox.waitForFirst(isOfKind(kind), kind, EVENT_MS);
    return json;
  } finally {
    // Frees the endpoint, because a contract may expect more events than an integrator has endpoints.
    await context.api.call("deleteWebhook", { path: { id } });
  }
}
