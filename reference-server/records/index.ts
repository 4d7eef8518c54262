/** All queries, by what they are about. Each takes the transaction or database first. */
import { attemptRecords } from "./attempts.ts";
import { ledgerRecords } from "./change-sequence.ts";
import { clockRecords } from "./clocks.ts";
import { deliveryRecords } from "./deliveries.ts";
import { dueRecords } from "./due-deliveries.ts";
import { eventRecords } from "./events.ts";
import { idempotencyRecords } from "./idempotency.ts";
import { integratorRecords } from "./integrators.ts";
import { outboxRecords } from "./outbox.ts";
import { pairingRecords } from "./pairing.ts";
import { proofRecords } from "./proofs.ts";
import { propertyRecords } from "./properties.ts";
import { retentionRecords } from "./retention.ts";
import { sandboxRecords } from "./sandbox.ts";
import { storeRecords } from "./stores.ts";
import { tokenRecords } from "./tokens.ts";
import { trustedReceiverRecords } from "./trusted-receivers.ts";
import { webhookRecords } from "./webhooks.ts";

export const records = {
  attempts: attemptRecords,
  clocks: clockRecords,
  deliveries: deliveryRecords,
  due: dueRecords,
  events: eventRecords,
  idempotency: idempotencyRecords,
  integrators: integratorRecords,
  ledger: ledgerRecords,
  outbox: outboxRecords,
  pairing: pairingRecords,
  proofs: proofRecords,
  properties: propertyRecords,
  retention: retentionRecords,
  sandbox: sandboxRecords,
  stores: storeRecords,
  tokens: tokenRecords,
  trustedReceivers: trustedReceiverRecords,
  webhooks: webhookRecords,
};

export type Records = typeof records;
