import { randomUUID } from "node:crypto";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import type { StateName } from "./expectations.ts";

type StateValues = Record<string, string | number>;

/** Creates a delivery and returns its id. */
export async function newDeliveryId(context: FullContext): Promise<string> {
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

/** A provider state with the required capabilities and the actions that set it up. */
interface State {
  readonly needs: readonly Capability[];
  setUp(context: FullContext): Promise<StateValues>;
}

/** All provider states. Other consumers' contracts may use them too. */
export const STATES: Readonly<Record<StateName, State>> = {
  "an integrator": {
    needs: [],
    setUp: async ({ credentials, webhookUrl }) => ({ ...credentials, webhook_url: webhookUrl() }),
  },
  "a pairing code": {
    needs: ["pairing"],
    setUp: async ({ pairingCode, point }) => ({
      pairing_code: (await pairingCode()).pairing_code,
      external_store_id: `pact-${randomUUID().slice(0, 8)}`,
      ...point,
    }),
  },
  "a linked store": { needs: [], setUp: storeValues },
  "a delivery": {
    needs: [],
    setUp: async (context) => ({ delivery_id: await newDeliveryId(context) }),
  },
  "a delivery that the courier has": {
    needs: ["courier"],
    setUp: async (context) => {
      const id = await newDeliveryId(context);
      await context.performCourierActionsUpTo(id, "picked_up");
      return { delivery_id: id };
    },
  },
};
