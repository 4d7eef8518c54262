import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type PrivateOperationId, privateOperations, type Schemas } from "../../core/contract/document.ts";
import { elementsOf } from "../../core/contract/element-sets.ts";
import type { BaseContext } from "../check.ts";
import type { Answer } from "../session/answer.ts";
import { type Api, type CallOptions, newIdempotencyKey, type UncheckedInput } from "../session/api.ts";
import { newStoreRegistration } from "../session/stores.ts";
import { expectOnlyDelivery } from "./assertions.ts";
import { idsOf, listSubscriptions } from "./subscriptions.ts";

/** The one thing that no check at this level can make: its path may be 404 whoever asks (OPEN-185). */
export const NOTHING_THERE: PrivateOperationId = "getProof";

/** Operations that need a token and have something there to work on. */
export const THERE = elementsOf("operations-that-need-a-token");

/** One valid request for each operation that needs a token, and what they are about. */
export interface PrivateRequests {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** An order that isn't there yet. */
  readonly wanted: Schemas["NewDelivery"];
  /** Sends each in turn, otherwise than it should be, and hands each answer over. */
  sendAll(
    api: Api,
    rule: string,
    options: CallOptions,
    judge: (answer: Answer<PrivateOperationId>, isThere: boolean) => void,
  ): Promise<void>;
  /** Asserts that the requests have changed nothing; the order that isn't there yet is taken by it. */
  expectUndone(why: string): Promise<void>;
}

/** Makes what the requests are about: a delivery whose notes are `first`, and a subscription. */
export async function privateRequests({
  api,
  cover,
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
  const wanted = await order();
  const somewhere = { id, external_store_id, proofId: randomUUID() };
  const inputs: Partial<Readonly<Record<PrivateOperationId, UncheckedInput>>> = {
    registerStore: {
      body: newStoreRegistration(point, undefined, { external_store_id, name: `${name} 2` }),
    },
    createQuote: { body: { store: { external_store_id }, dropoff: { ...point } } },
    createDelivery: { body: wanted },
    updateDelivery: { path: somewhere, body: { notes: "second" } },
    cancelDelivery: { path: somewhere, body: { reason: "Müşteri vazgeçti" } },
    createWebhook: { body: { url } },
    deleteWebhook: { path: webhook },
    rotateWebhookSecret: { path: webhook },
    testWebhook: { path: webhook },
  };
  return {
    deliveryId: id,
    webhookId: webhook.id,
    wanted,
    sendAll: async (sender, rule, options, judge) => {
      for (const operation of privateOperations) {
        const key = operation.id === "createDelivery" ? newIdempotencyKey() : null;
        const input = inputs[operation.id] ?? { path: somewhere };
        const answer = await sender.violate(operation.id, rule, input, { ...options, key });
        judge(answer, operation.id !== NOTHING_THERE);
      }
      cover("operations-that-need-a-token", THERE);
    },
    expectUndone: async (why) => {
      const delivery = (await api.getDelivery(id)).body(200);
      expect(delivery.notes, `the notes after ${why}`).toBe("first");
      expect(delivery.cancelled_at ?? null, `cancelled_at after ${why}`).toBeNull();
      const linked = (await api.getStore(external_store_id)).body(200);
      expect(linked.name, `the store's name after ${why}`).toBe(name);
      const subscriptions = await listSubscriptions(api);
      expect(idsOf(subscriptions), `the subscriptions after ${why}`).toContain(webhook.id);
      const urls = subscriptions.map((subscription) => subscription.url);
      expect(urls, `the subscribed addresses after ${why}`).not.toContain(url);
      await expectOnlyDelivery(api, (await api.createDelivery(wanted)).body(201));
      cover("operations-that-change", elementsOf("operations-that-change"));
    },
  };
}
