/** The control interface: operations for conformance runs that integrators don't have. */

import { formatInstant, lastInstant } from "../domain/instants.ts";
import type { StoreSettings, StoreStatus } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";
import { advance } from "../scheduler/advance.ts";
import { actAsCourier, addProof } from "./couriers.ts";
import { closeIntegrator, createIntegrator, integratorOf, issueToken, readCredit } from "./integrators.ts";
import { trustReceiver } from "./receivers.ts";

const describeControl: ControlOperation<"describeControl"> = async ({ parts }) => ({
  status: 200,
  body: {
    service: "courier-conform reference server",
    version: parts.apiVersion,
    operations: Object.keys(parts.controlOperations),
    clock: "virtual",
    features: ["attempt_wait_ms"],
  },
});

const advanceClock: ControlOperation<"advanceClock"> = async ({ parts, path, body }) => {
  const integrator = await integratorOf(parts, path.client_id);
  const { id } = integrator;
  const left = lastInstant - parts.clock.of(integrator, parts.clock.now());
  if (body.seconds * 1000 > left) throw rejected("seconds", "bu zaman yazılamaz");
  const waitMs = body.attempt_wait_ms ?? parts.limits.webhooks.standstillMs;
  const now = await advance(parts, id, body.seconds * 1000, waitMs);
  if (now === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: { now: formatInstant(now) } };
};

/** The code isn't bound to an integrator: the first one to redeem it uses it up. */
const issuePairingCode: ControlOperation<"issuePairingCode"> = async ({ parts, body }) => {
  const code = parts.ids.pairingCode();
  const { pairing, clocks } = parts.records;
  const courier_company = await parts.transaction(parts, async (tx) => {
    const company = await pairing.companyNamed(tx, body?.courier_company ?? "Örnek Kurye", parts.ids.uuid());
    const restaurant = await pairing.restaurantNamed(tx, body?.restaurant ?? null, parts.ids.uuid());
    await pairing.insertCode(tx, {
      code_hash: parts.credentials.hash(code),
      company_id: company.id,
      restaurant_id: restaurant.id,
      issued_at: parts.clock.now(),
      advances_seen: await clocks.lastAdvance(tx),
      expires_in_ms: body?.expires_in === undefined ? null : Math.min(body.expires_in * 1000, lastInstant),
      used_at: null,
    });
    return company;
  });
  return { status: 201, body: { pairing_code: code, courier_company } };
};

const storeStatus = {
  active: "ACTIVE",
  suspended: "SUSPENDED",
  closed: "CLOSED",
} satisfies Record<string, StoreStatus>;

const configureStore: ControlOperation<"configureStore"> = async ({ parts, path, body }) => {
  const { status, ...changes } = body;
  await parts.transaction(parts, async (tx) => {
    const { integrators, changeSequence, stores } = parts.records;
    const known = await stores.findById(tx, path.store_id);
    const integrator = known && (await integrators.findById(tx, known.integrator_id));
    if (integrator === undefined) throw new DomainError("BULUNAMADI");
    // Serializes concurrent changes of the settings with each other and with new deliveries.
    await changeSequence.takeNext(tx, integrator.id, parts.clock.of(integrator, parts.clock.now()));
    const store = await stores.findById(tx, path.store_id);
    if (store === undefined) throw new DomainError("BULUNAMADI");
    const settings: StoreSettings = { ...store.settings, ...changes };
    await parts.records.stores.configure(tx, {
      ...store,
      settings,
      status: status === undefined ? store.status : storeStatus[status],
    });
  });
  return { status: 204 };
};

/** The control operations by operationId. */
export const controlOperations = {
  describeControl,
  createIntegrator,
  issueToken,
  closeIntegrator,
  readCredit,
  advanceClock,
  issuePairingCode,
  configureStore,
  actAsCourier,
  addProof,
  trustReceiver,
};
