import { type PrivateOperationId, privateOperations, type Schemas } from "../../../core/contract/document.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import type { BaseContext } from "../../check.ts";
import {
  type Api,
  type CallOptions,
  newIdempotencyKey,
  type UncheckedInput,
} from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { expectOnlyDelivery } from "../assertions.ts";
import { idsOf, listSubscriptions } from "../webhooks/subscriptions.ts";

/**
 * The operation on the only resource that needs the control interface. Without the resource it may return 404
 * to every client (OPEN-185).
 */
const WITHOUT_RESOURCE: PrivateOperationId = "getProof";

/** Operations that require a token and have an existing resource. */
const WITH_RESOURCE = elementsOf("operations-that-need-a-token");

const OPERATIONS = privateOperations.map(({ id }) => id);

/** A valid request for each operation that requires a token, and their resources. */
interface PrivateRequests {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** An order that the faulty requests must not create. */
  readonly newOrder: Schemas["NewDelivery"];
  /**
   * Sends each request with a fault, and judges each response. A wrong response doesn't stop the remaining requests.
   */
  sendAll(
    api: Api,
    rule: string,
    options: CallOptions,
    judge: (response: ApiResponse<PrivateOperationId>, hasResource: boolean) => void,
  ): Promise<void>;
  /** Asserts that the requests had no effect, by creating the missing order. */
  expectNoEffect(why: string): Promise<void>;
}

/** Creates the requests' resources: a delivery with the notes `first`, and a subscription. */
export async function privateRequests({
  api,
  recordCoverage,
  each,
  order,
  store,
  point,
  registerWebhook,
  webhookUrl,
}: BaseContext): Promise<PrivateRequests> {
  const { external_store_id } = await store();
  const { name } = (await api.getStore(external_store_id)).body(200);
  const webhook = { id: (await registerWebhook()).body(201).id };
  const url = webhookUrl();
  const { id } = (await api.createDelivery(await order({ notes: "first" }))).body(201);
  const newOrder = await order();
  const pathParameters = { id, external_store_id, proofId: drawnUuid() };
  const inputs: Partial<Readonly<Record<PrivateOperationId, UncheckedInput>>> = {
    registerStore: {
      body: newStoreRegistration(point, undefined, { external_store_id, name: `${name} 2` }),
    },
    createQuote: { body: { store: { external_store_id }, dropoff: { ...point } } },
    createDelivery: { body: newOrder },
    updateDelivery: { path: pathParameters, body: { notes: "second" } },
    cancelDelivery: { path: pathParameters, body: { reason: "Müşteri vazgeçti" } },
    createWebhook: { body: { url } },
    deleteWebhook: { path: webhook },
    rotateWebhookSecret: { path: webhook },
    testWebhook: { path: webhook },
  };
  return {
    deliveryId: id,
    webhookId: webhook.id,
    newOrder,
    sendAll: (sender, rule, options, judge) =>
      each(cases("operations that need a token", OPERATIONS), async (operation) => {
        recordCoverage(
          "operations-that-need-a-token",
          WITH_RESOURCE.filter((one) => one === operation),
        );
        const key = operation === "createDelivery" ? newIdempotencyKey() : null;
        const input = inputs[operation] ?? { path: pathParameters };
        const response = await sender.sendInvalid(operation, rule, input, { ...options, key });
        judge(response, operation !== WITHOUT_RESOURCE);
      }),
    expectNoEffect: (why) => {
      const shown = async () => (await api.getDelivery(id)).body(200);
      const verifiers: Readonly<
        Record<ElementOf<"operations-that-change">, (what: string) => Promise<void>>
      > = {
        registerStore: async (what) => {
          const linked = (await api.getStore(external_store_id)).body(200);
          expectThat(`the store's name after ${what}`, linked.name).is(name);
        },
        createDelivery: async () => expectOnlyDelivery(api, (await api.createDelivery(newOrder)).body(201)),
        updateDelivery: async (what) =>
          expectThat(`the notes after ${what}`, (await shown()).notes).is("first"),
        cancelDelivery: async (what) =>
          expectThat(
            { field: "cancelled_at", where: `after ${what}` },
            (await shown()).cancelled_at ?? null,
          ).is(null),
        createWebhook: async (what) => {
          const urls = (await listSubscriptions(api)).map((subscription) => subscription.url);
          expectThat(`the subscribed endpoints after ${what}`, urls).doesNotInclude(url);
        },
        deleteWebhook: async (what) =>
          expectThat(`the subscriptions after ${what}`, idsOf(await listSubscriptions(api))).includes(
            webhook.id,
          ),
      };
      return each(ofSet("operations-that-change"), (operation) =>
        verifiers[operation](`${operation} in ${why}`),
      );
    },
  };
}
