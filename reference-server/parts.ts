/**
 * Everything about the server that can vary, in one object.
 *
 * Code reaches a part through `parts` at the moment of use and never by importing its default, so a function from parts
 * to parts is all it takes to make another server: `(p) => ({ ...p, cursor: { ...p.cursor, encode } })`.
 */

import { controlDocument, type OpenApiDocument, serviceDocument } from "./contract/documents.ts";
import { controlOperations } from "./control/operations.ts";
import type { Instances } from "./database/instances.ts";
import type { Database, Tx } from "./database/schema.ts";
import { inTransaction } from "./database/transaction.ts";
import { revise } from "./deliveries/changes.ts";
import { type Attempts, attempts } from "./dispatcher/attempt.ts";
import { type AttemptLog, noAttemptLog } from "./dispatcher/attempt-log.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import { attemptsDue, attemptTimeouts } from "./dispatcher/due-attempts.ts";
import { type Emit, type EventRules, emit, eventRules } from "./dispatcher/emit.ts";
import { type Schedule, schedule } from "./dispatcher/retry-policy.ts";
import { keepAliveTransport, type Transport } from "./dispatcher/transport.ts";
import { type Clock, systemClock } from "./domain/clock.ts";
import { type CourierRules, courier } from "./domain/courier.ts";
import { type Credentials, credentials, type Ids, ids } from "./domain/credentials.ts";
import { type Credit, credit } from "./domain/credit.ts";
import { type Cursor, cursor } from "./domain/cursor.ts";
import { type Idempotency, idempotency } from "./domain/idempotency.ts";
import { type Lifecycle, lifecycle } from "./domain/lifecycle.ts";
import type { StoreSettings } from "./domain/model.ts";
import { type Paging, paging } from "./domain/paging.ts";
import { type Pairing, pairing } from "./domain/pairing.ts";
import { type PaymentType, paymentTypes } from "./domain/payment-types.ts";
import { type Phone, phone } from "./domain/phone.ts";
import { type Country, type Distance, distance, turkey } from "./domain/places.ts";
import { type Prices, prices } from "./domain/prices.ts";
import { type Resolver, resolver } from "./domain/resolver.ts";
import { type Search, search, searchWork } from "./domain/search.ts";
import { type ServiceArea, serviceArea } from "./domain/service-area.ts";
import { type Tokens, tokens } from "./domain/tokens.ts";
import { type Tracking, tracking } from "./domain/tracking.ts";
import { type ErrorTable, errors } from "./errors.ts";
import { type Guard, guard, type ResolveHost, resolveHost } from "./events/address-guard.ts";
import { type Envelopes, envelopes } from "./events/envelope.ts";
import { type Sealing, sealingWith } from "./events/secret-encryption.ts";
import { type Signer, signer } from "./events/signature.ts";
import { checkContentType } from "./http/bodies.ts";
import { bucketOf, type Limiter, limitHeaders, standing } from "./http/rate-limits.ts";
import { type Limits, limits } from "./limits.ts";
import { operations } from "./operations/index.ts";
import { type Records, records } from "./records/index.ts";
import type { Sandbox } from "./sandbox/console/sandbox.ts";
import type { DueWork } from "./scheduler/advance.ts";
import { type Alarm, realTimeAlarm } from "./scheduler/alarm.ts";
import { type Views, views } from "./views/views.ts";

export interface Parts {
  /** The document that routes and request validation are made from; clone it to change it. */
  document: OpenApiDocument;
  controlDocument: OpenApiDocument;
  /** What /healthz reports, in date form. */
  apiVersion: string;
  /** Where the service is reached from outside, without a trailing slash. */
  publicUrl(): string;
  /** The control token, hashed; null for no control interface. */
  controlTokenHash: string | null;

  clock: Clock;
  ids: Ids;
  credentials: Credentials;
  tokens: Tokens;

  database: Database;
  /** Those that serve on this database, this one among them. */
  instances: Instances;
  /** Runs the work in one transaction, undone where it throws. */
  transaction<T>(parts: Parts, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** All queries. */
  records: Records;

  limits: Limits;
  limiter: Limiter;
  bucketOf: typeof bucketOf;
  standing: typeof standing;
  limitHeaders: typeof limitHeaders;
  checkContentType: typeof checkContentType;

  /** The errors' statuses and messages. */
  errors: ErrorTable;
  /** From what is kept to what is sent. */
  views: Views;

  cursor: Cursor;
  paging: Paging;
  idempotency: Idempotency;
  pairing: Pairing;
  phone: Phone;
  country: Country;
  distance: Distance;
  prices: Prices;
  serviceArea: ServiceArea;
  resolver: Resolver;
  paymentTypes: readonly PaymentType[];
  /** What a newly linked store is set to. */
  storeDefaults: StoreSettings;
  credit: Credit;
  lifecycle: Lifecycle;
  /** What a courier's move changes besides the state. */
  courier: CourierRules;
  /** When couriers are looked for, and when nobody's being found is told. */
  search: Search;
  /** Has it done when its time comes. */
  alarm: Alarm;
  tracking: Tracking;
  /** How a delivery's version, number and time follow a change. */
  revise: typeof revise;

  /** Reports a change, in its transaction. */
  emit: Emit;
  /** Which events there are, and who gets them. */
  eventRules: EventRules;
  /** What is sent of an event. */
  envelopes: Envelopes;
  /** What follows from how an attempt ended; its delays are among the limits. */
  schedule: Schedule;
  /** The request of an attempt. */
  attempts: Attempts;
  /** Keeps attempts for people to look at. */
  attemptLog: AttemptLog;
  signer: Signer;
  /** Sends requests to webhook addresses. */
  transport: Transport;
  /** Where webhooks may go. */
  guard: Guard;
  resolveHost: ResolveHost;
  /** Origins on private addresses that webhooks may go to all the same, besides those of the control interface. */
  trustedOrigins: readonly string[];
  /** How webhook secrets are kept. */
  sealing: Sealing;
  /** Sends what is in the outbox. */
  dispatcher: Dispatcher;

  /** What falls due as an integrator's clock moves. */
  dueWork: readonly DueWork[];

  /** The service's operations by operationId. */
  operations: typeof operations;
  controlOperations: typeof controlOperations;

  /** What there is for people to work with besides the service; null for nothing. */
  sandbox: Sandbox | null;

  /** Told of every error that is answered 500. */
  reportFault(error: unknown): void;

  /** Proxies that say on whose behalf they ask, as addresses or networks. */
  trustedProxies: readonly string[];
}

/** What a server needs to be told. */
export interface Setting {
  database: Database;
  instances: Instances;
  limiter: Limiter;
  publicUrl: () => string;
  /** Null for no control interface. */
  controlToken: string | null;
  /** What webhook secrets are encrypted with, 32 bytes. */
  sealingKey: Buffer;
  /** Origins on private addresses that webhooks may go to. */
  trustedOrigins: readonly string[];
  /** Proxies that say on whose behalf they ask, as addresses or networks. */
  trustedProxies: readonly string[];
  reportFault: (error: unknown) => void;
}

/** The reference server's parts. */
export function makeParts(setting: Setting): Parts {
  const { database, instances, limiter, publicUrl, controlToken, reportFault } = setting;
  return {
    document: serviceDocument(),
    controlDocument: controlDocument(),
    apiVersion: "2026-01-15",
    publicUrl,
    controlTokenHash: controlToken === null ? null : credentials.hash(controlToken),
    clock: systemClock,
    ids,
    credentials,
    tokens,
    database,
    instances,
    transaction: (parts, work) => inTransaction(parts.database, work),
    records,
    limits,
    limiter,
    bucketOf,
    standing,
    limitHeaders,
    checkContentType,
    errors,
    views,
    cursor,
    paging,
    idempotency,
    pairing,
    phone,
    country: turkey,
    distance,
    prices,
    serviceArea,
    resolver,
    paymentTypes,
    storeDefaults: {
      radius_m: 10_000,
      max_road_km: 15,
      couriers_on_shift: 3,
      price: { base: 45, per_km: 12.5, currency: "TRY", vat_included: false },
    },
    credit,
    lifecycle,
    courier,
    search,
    alarm: realTimeAlarm(),
    tracking,
    revise,
    emit,
    eventRules,
    envelopes,
    schedule,
    attempts,
    attemptLog: noAttemptLog,
    signer,
    transport: keepAliveTransport(),
    guard,
    resolveHost,
    trustedOrigins: setting.trustedOrigins,
    sealing: sealingWith(setting.sealingKey),
    dispatcher: new Dispatcher(),
    dueWork: [attemptTimeouts, attemptsDue, searchWork],
    operations,
    controlOperations,
    sandbox: null,
    reportFault,
    trustedProxies: setting.trustedProxies,
  };
}
