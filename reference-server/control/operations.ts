/** The control interface: operations for conformance runs that integrators don't have. */

import { X509Certificate } from "node:crypto";
import { moveCourier } from "../deliveries/courier-moves.ts";
import { formatInstant, lastInstant } from "../domain/instants.ts";
import type { Proof, StoreSettings, StoreStatus } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";
import { issueTokenTo } from "../operations/tokens.ts";
import { advance } from "../scheduler/advance.ts";
import { integratorOf, makeIntegrator } from "./integrators.ts";

const actAsCourier: ControlOperation<"actAsCourier"> = async ({ deps, path, body }) => {
  await moveCourier(deps, path.delivery_id, body);
  return { status: 204 };
};

/** Accepts a photo in any state of the delivery. */
const addProof: ControlOperation<"addProof"> = async ({ deps, path, query, mediaType, body }) => {
  if (body.length > deps.limits.proofs.bytes) throw new DomainError("GOVDE_COK_BUYUK");
  const { deliveries, integrators, changeSequence, proofs } = deps.records;
  const delivery = await deliveries.findById(deps.database, path.delivery_id);
  const integrator = delivery && (await integrators.findById(deps.database, delivery.integrator_id));
  if (delivery === undefined || integrator === undefined) throw new DomainError("BULUNAMADI");
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  return deps.transaction(async (tx) => {
    // Serializes concurrent uploads of photos, so that the limit of three photos holds.
    const stamp = await changeSequence.takeNext(tx, integrator.id, now);
    const taken = await proofs.list(tx, delivery.id);
    if (taken.length >= deps.limits.proofs.perDelivery) throw new DomainError("FOTOGRAF_SINIRI");
    const proof: Proof = {
      id: deps.ids.uuid(),
      delivery_id: delivery.id,
      ordinal: taken.length + 1,
      mime: mediaType,
      size: body.length,
      lat: query.lat ?? null,
      lng: query.lng ?? null,
      created_at: stamp.at,
    };
    await proofs.insert(tx, proof, body);
    return { status: 201, body: deps.views.proof(proof) };
  });
};

/** Creates an integrator for a test run, which may trust receivers. */
const createIntegrator: ControlOperation<"createIntegrator"> = async ({ deps, body }) => ({
  status: 201,
  body: await makeIntegrator(deps, { kind: body?.kind ?? "integrator", trusts_receivers: 1 }),
});

const issueToken: ControlOperation<"issueToken"> = async ({ deps, path }) => {
  const integrator = await integratorOf(deps, path.client_id);
  if (integrator.closed_at !== null) throw new DomainError("KIMLIK_KAPALI");
  return { status: 201, body: await issueTokenTo(deps, integrator) };
};

const closeIntegrator: ControlOperation<"closeIntegrator"> = async ({ deps, path }) => {
  const integrator = await integratorOf(deps, path.client_id);
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  await deps.records.integrators.close(deps.database, integrator.id, now);
  return { status: 204 };
};

const readCredit: ControlOperation<"readCredit"> = async ({ deps, path }) => {
  const { id } = await integratorOf(deps, path.client_id);
  return {
    status: 200,
    body: { consumed: await deps.records.credit.read(deps.database, id) },
  };
};

/** Trusting an origin again replaces its CA. */
const trustReceiver: ControlOperation<"trustReceiver"> = async ({ deps, body }) => {
  const url = URL.parse(body.origin);
  if (url?.protocol !== "https:") throw rejected("origin", "https adresi olmalı");
  const refusal = body.ca_pem === undefined ? undefined : refusalOf(body.ca_pem);
  if (refusal !== undefined) throw rejected("ca_pem", refusal);
  const ca_pem = body.ca_pem ?? null;
  const now = deps.clock.now();
  const { trustedReceivers } = deps.records;
  await trustedReceivers.purge(deps.database, now - deps.limits.webhooks.trustMs);
  await trustedReceivers.put(deps.database, { origin: url.origin, ca_pem, used_at: now });
  return { status: 204 };
};

/** Why a certificate is invalid; undefined for a valid one. */
function refusalOf(pem: string): string | undefined {
  try {
    const { ca, issuer } = new X509Certificate(pem);
    if (ca) return undefined;
    return `bir CA sertifikası olmalı: bu, sunucunun kendi sertifikası; onu imzalayanınki gerekli (${issuer.replaceAll("\n", ", ")})`;
  } catch {
    return "PEM biçiminde bir sertifika olmalı";
  }
}

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
  const left = lastInstant - deps.clock.timeOf(integrator, deps.clock.now());
  if (body.seconds * 1000 > left) throw rejected("seconds", "bu zaman yazılamaz");
  const waitMs = body.attempt_wait_ms ?? deps.limits.webhooks.standstillMs;
  const now = await advance(deps, id, body.seconds * 1000, waitMs);
  if (now === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: { now: formatInstant(now) } };
};

/** Any integrator may redeem the code, once. */
const issuePairingCode: ControlOperation<"issuePairingCode"> = async ({ deps, body }) => {
  const code = deps.ids.pairingCode();
  const { pairing, clocks } = deps.records;
  const courier_company = await deps.transaction(async (tx) => {
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
  await deps.transaction(async (tx) => {
    const { integrators, changeSequence, stores } = deps.records;
    const known = await stores.findById(tx, path.store_id);
    const integrator = known && (await integrators.findById(tx, known.integrator_id));
    if (integrator === undefined) throw new DomainError("BULUNAMADI");
    // Serializes concurrent changes of the settings with each other and with new deliveries.
    await changeSequence.takeNext(tx, integrator.id, deps.clock.timeOf(integrator, deps.clock.now()));
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
