/** All queries, by subject. Each query takes the transaction or database first. */
import { changeSequenceRecords } from "./change-sequence.ts";
import { clockRecords } from "./clocks.ts";
import { creditRecords } from "./credit.ts";
import { deliveryRecords } from "./deliveries.ts";
import { dueDeliveryRecords } from "./due-deliveries.ts";
import { eventRecords } from "./events.ts";
import { idempotencyRecords } from "./idempotency.ts";
import { integratorRecords } from "./integrators.ts";
import { outboxRecords } from "./outbox.ts";
import { outboxTurns } from "./outbox-turns.ts";
import { pairingRecords } from "./pairing.ts";
import { proofRecords } from "./proofs.ts";
import { propertyRecords } from "./properties.ts";
import { retentionRecords } from "./retention.ts";
import { storeRecords } from "./stores.ts";
import { tokenRecords } from "./tokens.ts";
import { trustedReceiverRecords } from "./trusted-receivers.ts";
import { webhookRecords } from "./webhooks.ts";

export const records = {
  changeSequence: changeSequenceRecords,
  clocks: clockRecords,
  credit: creditRecords,
  deliveries: deliveryRecords,
  dueDeliveries: dueDeliveryRecords,
  events: eventRecords,
  idempotency: idempotencyRecords,
  integrators: integratorRecords,
  outbox: outboxRecords,
  outboxTurns,
  pairing: pairingRecords,
  proofs: proofRecords,
  properties: propertyRecords,
  retention: retentionRecords,
  stores: storeRecords,
  tokens: tokenRecords,
  trustedReceivers: trustedReceiverRecords,
  webhooks: webhookRecords,
};

export type Records = typeof records;
