import { randomUUID } from "node:crypto";
import { COURIERS_WAY } from "../../core/control.ts";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import type { StateName } from "./expectations.ts";

/** What a state hands to the requests of a contract, by name. */
export type StateValues = Record<string, string | number>;

async function aDelivery(context: FullContext): Promise<string> {
  const created = await context.api.createDelivery(await context.order());
  return created.body(201).id;
}

const storeValues = async (context: FullContext): Promise<StateValues> => {
  const { external_store_id, lat, lng } = await context.store();
  return {
    external_store_id,
    lat: lat ?? context.point.lat,
    lng: lng ?? context.point.lng,
    payment_type: await context.paymentType(),
    external_ref: `pact-${randomUUID().slice(0, 8)}`,
    idempotency_key: randomUUID(),
  };
};

/** A state that a contract may start from: what it takes, and how it is brought about at the service. */
interface State {
  readonly needs: readonly Capability[];
  bringAbout(context: FullContext): Promise<StateValues>;
}

/** Every state that there is. A contract of one's own may use the same names. */
export const STATES: Readonly<Record<StateName, State>> = {
  "an integrator": {
    needs: [],
    bringAbout: async ({ credentials, webhookUrl }) => ({ ...credentials, webhook_url: webhookUrl() }),
  },
  "a pairing code": {
    needs: ["pairing"],
    bringAbout: async ({ code, point }) => ({
      pairing_code: (await code()).pairing_code,
      external_store_id: `pact-${randomUUID().slice(0, 8)}`,
      ...point,
    }),
  },
  "a linked store": { needs: [], bringAbout: storeValues },
  "a delivery": {
    needs: [],
    bringAbout: async (context) => ({ delivery_id: await aDelivery(context) }),
  },
  "a delivery that the courier has": {
    needs: ["courier"],
    bringAbout: async (context) => {
      const id = await aDelivery(context);
      await context.bring(id, "picked_up");
      return { delivery_id: id };
    },
  },
};

const EVENT_MS = 15_000;

/** An event that a contract may expect: what it takes, and how it is caused. */
interface EventSource {
  readonly needs: readonly Capability[];
  cause(context: FullContext, subscriptionId: string): Promise<void>;
}

const EVENTS: Readonly<Record<string, EventSource>> = {
  "webhook.test": {
    needs: ["receiver"],
    cause: async ({ api }, id) => void (await api.call("testWebhook", { path: { id } })).succeeded(),
  },
  "delivery.created": { needs: ["receiver"], cause: async (context) => void (await aDelivery(context)) },
  "delivery.queued": { needs: ["receiver"], cause: async (context) => void (await aDelivery(context)) },
  "delivery.updated": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await aDelivery(context);
      (await context.api.updateDelivery(id, { notes: "Zile basmayın" })).succeeded();
    },
  },
  "delivery.cancelled": {
    needs: ["receiver"],
    cause: async (context) => {
      const id = await aDelivery(context);
      (await context.api.cancelDelivery(id, "Müşteri vazgeçti")).succeeded();
    },
  },
  ...Object.fromEntries(
    COURIERS_WAY.map((step): [string, EventSource] => [
      `delivery.${step}`,
      {
        needs: ["receiver", "courier"],
        cause: async (context) => context.bring(await aDelivery(context), step),
      },
    ]),
  ),
};

/** The kind of event that a description names, and what it takes; undefined for one that names none that there is. */
export function eventIn(description: string): { kind: string; needs: readonly Capability[] } | undefined {
  const kind = Object.keys(EVENTS).find((one) => description.includes(one));
  const source = kind === undefined ? undefined : EVENTS[kind];
  return kind !== undefined && source ? { kind, needs: source.needs } : undefined;
}

/** Has an event of the kind sent, and gives the body that arrived. */
export async function eventOf(kind: string, context: FullContext): Promise<unknown> {
  const wish = kind === "webhook.test" ? {} : { event_types: [kind] };
  const { id, inbox } = await context.subscribe(wish);
  try {
    await EVENTS[kind]?.cause(context, id);
    const { json } = await inbox.first((attempt) => kindOf(attempt) === kind, kind, EVENT_MS);
    return json;
  } finally {
    // An integrator has five addresses and no more, and a contract may expect more events.
    await context.api.call("deleteWebhook", { path: { id } });
  }
}

const kindOf = ({ json }: { readonly json: unknown }): unknown =>
  typeof json === "object" && json !== null && "type" in json ? json.type : undefined;
