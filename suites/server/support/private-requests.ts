import { randomUUID } from "node:crypto";
import type { Schemas } from "../../core/document.ts";
import { type PrivateOperationId, privateOperations } from "../../core/document.ts";
import type { BaseContext } from "../check.ts";
import type { Answer } from "../session/answer.ts";
import { type Api, type CallOptions, newIdempotencyKey, type UncheckedInput } from "../session/api.ts";
import { newStoreRegistration } from "../session/stores.ts";

/** The one thing that no check at this level can make: its path may be 404 whoever asks (OPEN-185). */
export const NOTHING_THERE: PrivateOperationId = "getProof";

/** Operations that need a token and have something there to work on. */
export const THERE = privateOperations
  .map(({ id }) => id)
  .filter((id): id is Exclude<PrivateOperationId, "getProof"> => id !== NOTHING_THERE);

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
}

/** Makes what the requests are about: a delivery whose notes are `first`, and a subscription. */
export async function privateRequests({
  api,
  order,
  store,
  point,
  registerWebhook,
  webhookUrl,
}: BaseContext): Promise<PrivateRequests> {
  const { external_store_id } = await store();
  const webhook = { id: (await registerWebhook()).body(201).id };
  const { id } = (await api.createDelivery(await order({ notes: "first" }))).body(201);
  const wanted = await order();
  const somewhere = { id, external_store_id, proofId: randomUUID() };
  const inputs: Partial<Readonly<Record<PrivateOperationId, UncheckedInput>>> = {
    registerStore: { body: newStoreRegistration(point, undefined, { external_store_id }) },
    createQuote: { body: { store: { external_store_id }, dropoff: { ...point } } },
    createDelivery: { body: wanted },
    updateDelivery: { path: somewhere, body: { notes: "second" } },
    cancelDelivery: { path: somewhere, body: { reason: "Müşteri vazgeçti" } },
    createWebhook: { body: { url: webhookUrl() } },
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
    },
  };
}
