import type { Api } from "../../session/http/api.ts";
import type { LinkedStore } from "../../session/stores/stores.ts";
import { type Limit, UNTHROTTLED } from "../rate-limit.ts";
import { repeatRegistration } from "../stores.ts";

/**
 * Requests of an integrator that have no effect. Requests for photos and listPaymentTypes are left out.
 * @param id a cancelled delivery, which can't change
 */
export function requestsOfEachKind(
  api: Api,
  id: string,
  store: LinkedStore,
): Readonly<Record<string, Limit["send"]>> {
  const path = { id };
  const { external_store_id } = store;
  const rule = "a cancelled delivery";
  const change = { path, body: { notes: "Zile basmayın" } };
  const cancellation = { path, body: { reason: "Müşteri vazgeçti" } };
  return {
    listStores: () => api.call("listStores", {}, UNTHROTTLED),
    getStore: () => api.call("getStore", { path: { external_store_id } }, UNTHROTTLED),
    registerStore: () => api.call("registerStore", { body: repeatRegistration(store) }, UNTHROTTLED),
    listDeliveryAreas: () => api.call("listDeliveryAreas", {}, UNTHROTTLED),
    listDeliveries: () => api.call("listDeliveries", { query: { limit: 1 } }, UNTHROTTLED),
    getDelivery: () => api.call("getDelivery", { path }, UNTHROTTLED),
    updateDelivery: () => api.sendInvalid("updateDelivery", rule, change, UNTHROTTLED),
    cancelDelivery: () => api.sendInvalid("cancelDelivery", rule, cancellation, UNTHROTTLED),
    listProofs: () => api.call("listProofs", { path }, UNTHROTTLED),
    listWebhooks: () => api.call("listWebhooks", {}, UNTHROTTLED),
  };
}
