import { cancelDelivery, updateDelivery } from "./change-delivery.ts";
import { createDelivery } from "./create-delivery.ts";
import { getHealth } from "./health.ts";
import { listPaymentTypes } from "./payment-types.ts";
import { getProof, listProofs } from "./proofs.ts";
import { createQuote, listDeliveryAreas } from "./quotes.ts";
import { getDelivery, listDeliveries } from "./read-deliveries.ts";
import { getStore, listStores, registerStore } from "./stores.ts";
import { obtainToken } from "./tokens.ts";
import { getTracking } from "./tracking.ts";
import { createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret, testWebhook } from "./webhooks.ts";

export const operations = {
  obtainToken,
  registerStore,
  listStores,
  getStore,
  createQuote,
  listDeliveryAreas,
  createDelivery,
  listDeliveries,
  getDelivery,
  updateDelivery,
  cancelDelivery,
  listProofs,
  getProof,
  getTracking,
  listPaymentTypes,
  createWebhook,
  listWebhooks,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  getHealth,
};
