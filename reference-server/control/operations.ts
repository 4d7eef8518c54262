/** The control interface: operations for conformance runs that integrators don't have. */

import { formatInstant, lastInstant } from "../domain/instants.ts";
import type { StoreSettings, StoreStatus } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";
import { advance } from "../scheduler/advance.ts";
import { actAsCourier, addProof } from "./couriers.ts";
import { closeIntegrator, createIntegrator, integratorOf, issueToken, readCredit } from "./integrators.ts";
import { trustReceiver } from "./receivers.ts";

const describeControl: ControlOperation<"describeControl"> = async ({ deps }) => ({
  status: 200,
  body: {
    service: "courier-conform reference server",
    version: deps.apiVersion,
    operations: Object.keys(deps.controlOperations),
    clock: "virtual",
    features: ["attempt_wait_ms"],
  },
});

const advanceClock: ControlOperation<"advanceClock"> = async ({ deps, path, body }) => {
  const integrator = await integratorOf(deps, path.client_id);
  const { id } = integrator;
  const left = lastInstant - deps.clock.of(integrator, deps.clock.now());
  if (body.seconds * 1000 > left) throw rejected("seconds", "bu zaman yazılamaz");
  const waitMs = body.attempt_wait_ms ?? deps.limits.webhooks.standstillMs;
  const now = await advance(deps, id, body.seconds * 1000, waitMs);
  if (now === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: { now: formatInstant(now) } };
};

/** The code isn't bound to an integrator: the first one to redeem it uses it up. */
const issuePairingCode: ControlOperation<"issuePairingCode"> = async ({ deps, body }) => {
  const code = deps.ids.pairingCode();
  const { pairing, clocks } = deps.records;
  const courier_company = await deps.transaction(deps, async (tx) => {
    const company = await pairing.companyNamed(tx, body?.courier_company ?? "Örnek Kurye", deps.ids.uuid());
    const restaurant = await pairing.restaurantNamed(tx, body?.restaurant ?? null, deps.ids.uuid());
    await pairing.insertCode(tx, {
      code_hash: deps.credentials.hash(code),
      company_id: company.id,
      restaurant_id: restaurant.id,
      issued_at: deps.clock.now(),
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

const configureStore: ControlOperation<"configureStore"> = async ({ deps, path, body }) => {
  const { status, ...changes } = body;
  await deps.transaction(deps, async (tx) => {
    const { integrators, changeSequence, stores } = deps.records;
    const known = await stores.findById(tx, path.store_id);
    const integrator = known && (await integrators.findById(tx, known.integrator_id));
    if (integrator === undefined) throw new DomainError("BULUNAMADI");
    // Serializes concurrent changes of the settings with each other and with new deliveries.
    await changeSequence.takeNext(tx, integrator.id, deps.clock.of(integrator, deps.clock.now()));
    const store = await stores.findById(tx, path.store_id);
    if (store === undefined) throw new DomainError("BULUNAMADI");
    const settings: StoreSettings = { ...store.settings, ...changes };
    await deps.records.stores.configure(tx, {
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
