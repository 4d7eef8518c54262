import { expectThat } from "../../../core/grading/expectations/expect.ts";
import type { ContextFor } from "../../check.ts";
import type { UncheckedInput } from "../../session/http/api.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { listSubscriptions } from "../webhooks/subscriptions.ts";

/** Operations with a body, except the creation and the token endpoint. */
export const OPERATIONS_WITH_A_BODY = [
  "registerStore",
  "createQuote",
  "updateDelivery",
  "cancelDelivery",
  "createWebhook",
] as const;
export const CHANGING = ["registerStore", "updateDelivery", "cancelDelivery", "createWebhook"] as const;

type OperationWithABody = (typeof OPERATIONS_WITH_A_BODY)[number];
type ChangingOperation = (typeof CHANGING)[number];

interface RequestsWithABody {
  /** A request for each operation. A target accepts each request only once. */
  readonly inputs: Readonly<Record<OperationWithABody, UncheckedInput & { readonly body: object }>>;
  /** Asserts that the request had no effect. The argument names the reason. */
  readonly effects: Readonly<Record<ChangingOperation, (why: string) => Promise<void>>>;
  /** The positive control: asserts that all requests are accepted if they are valid. */
  readonly expectAccepted: () => Promise<void>;
}

/**
 * Requests of all operations in {@link OPERATIONS_WITH_A_BODY} about a new store and delivery, which a check can send with
 * faults.
 */
export async function requestsWithABody(context: ContextFor<never>): Promise<RequestsWithABody> {
  const { api, order, store, point, registerWebhook, webhookUrl } = context;
  const { external_store_id } = await store();
  const { name } = (await api.getStore(external_store_id)).body(200);
  const { id } = (await api.createDelivery(await order({ notes: "first" }))).body(201);
  const path = { id };
  const registration = newStoreRegistration(point, undefined, { external_store_id, name: "Tür Lokantası" });
  const quote = { store: { external_store_id }, dropoff: { ...point } };
  const reason = "Müşteri vazgeçti";
  const url = webhookUrl();
  return {
    inputs: {
      registerStore: { body: registration },
      createQuote: { body: quote },
      updateDelivery: { path, body: { notes: "second" } },
      cancelDelivery: { path, body: { reason } },
      createWebhook: { body: { url } },
    },
    effects: {
      registerStore: async (why) => {
        const linked = (await api.getStore(external_store_id)).body(200);
        expectThat(`the store's name ${why}`, linked.name).is(name);
      },
      updateDelivery: async (why) => {
        expectThat(`the notes ${why}`, (await api.getDelivery(id)).body(200).notes).is("first");
      },
      cancelDelivery: async (why) => {
        const { cancelled_at } = (await api.getDelivery(id)).body(200);
        expectThat(`cancelled_at ${why}`, cancelled_at ?? null).is(null);
      },
      createWebhook: async (why) => {
        const urls = (await listSubscriptions(api)).map((subscription) => subscription.url);
        expectThat(`the subscribed endpoints ${why}`, urls).doesNotInclude(url);
      },
    },
    expectAccepted: async () => {
      (await api.registerStore(registration)).body(200);
      (await api.registerStore({ ...registration, name })).body(200);
      (await api.createQuote(quote)).expectSuccess();
      (await api.updateDelivery(id, { notes: "second" })).expectSuccess();
      (await api.cancelDelivery(id, reason)).expectSuccess();
      (await registerWebhook({ url })).body(201);
    },
  };
}
