/** The reference server's default dependencies. Only this file imports every default. */
import { controlDocument, serviceDocument } from "./contract/documents.ts";
import { controlOperations } from "./control/operations.ts";
import type { Instances } from "./database/instances.ts";
import type { Database } from "./database/schema.ts";
import { reportOnceWhileFull, storageOf } from "./database/storage.ts";
import { inTransaction } from "./database/transaction.ts";
import { revise } from "./deliveries/changes.ts";
import type { Dependencies, Limiter } from "./dependencies.ts";
import { attemptRequests } from "./dispatcher/attempt.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import { attemptsDue, attemptTimeouts } from "./dispatcher/due-attempts.ts";
import { emit, eventRules } from "./dispatcher/emit.ts";
import { retryPolicy } from "./dispatcher/retry-policy.ts";
import { keepAliveTransport } from "./dispatcher/transport.ts";
import { prices } from "./domain/areas/prices.ts";
import { addressResolver } from "./domain/areas/resolver.ts";
import { serviceArea } from "./domain/areas/service-area.ts";
import { systemClock } from "./domain/clock.ts";
import { courier } from "./domain/courier.ts";
import { ids, secretHasher } from "./domain/credentials.ts";
import { credit } from "./domain/credit.ts";
import { idempotency } from "./domain/idempotency.ts";
import { lifecycle } from "./domain/lifecycle.ts";
import { cursor } from "./domain/paging/cursor.ts";
import { paging } from "./domain/paging/paging.ts";
import { pairing } from "./domain/pairing.ts";
import { paymentTypes } from "./domain/payment-types.ts";
import { phone } from "./domain/phone.ts";
import { distance, turkey } from "./domain/places.ts";
import { courierSearch } from "./domain/search.ts";
import { StorageQuota } from "./domain/storage-quota.ts";
import { tokens } from "./domain/tokens.ts";
import { tracking } from "./domain/tracking.ts";
import { errors } from "./errors.ts";
import { addressGuard, resolveHost } from "./events/address-guard.ts";
import { envelopes } from "./events/envelope.ts";
import { secretEncryptionWith } from "./events/secret-encryption.ts";
import { signer } from "./events/signature.ts";
import { bodyOf, checkContentType } from "./http/bodies.ts";
import { bucketOf, limitHeaders, rateLimitStatus } from "./http/rate-limits.ts";
import { limits } from "./limits.ts";
import { operations } from "./operations/index.ts";
import { records } from "./records/index.ts";
import { realTimeAlarm } from "./scheduler/alarm.ts";
import { searchWork } from "./scheduler/courier-search.ts";
import { views } from "./views/views.ts";

interface Setting {
  database: Database;
  /** The database's file; undefined for a remote one or one in memory. */
  databaseFile: string | undefined;
  instances: Instances;
  limiter: Limiter;
  publicUrl: () => string;
  /** Null disables the control interface. */
  controlToken: string | null;
  /** The encryption key of webhook secrets, 32 bytes. */
  webhookKey: Buffer;
  /** Origins with private addresses that webhooks may be sent to. */
  trustedOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted, as addresses or networks. */
  trustedProxies: readonly string[];
  reportFault: (error: unknown) => void;
}

/** Builds the reference server's dependencies. */
export function makeDependencies(setting: Setting): Dependencies {
  const { database, instances, limiter, publicUrl, controlToken, reportFault } = setting;
  return {
    document: serviceDocument(),
    controlDocument: controlDocument(),
    apiVersion: "2026-01-15",
    publicUrl,
    controlTokenHash: controlToken === null ? null : secretHasher.hash(controlToken),
    clock: systemClock,
    ids,
    credentials: secretHasher,
    tokens,
    database,
    instances,
    transaction: (work) => inTransaction(database, work),
    records,
    limits,
    limiter,
    bucketOf,
    rateLimitStatus,
    limitHeaders,
    checkContentType,
    bodyOf,
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
    addressResolver,
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
    courierSearch,
    alarm: realTimeAlarm(),
    tracking,
    revise,
    emit,
    eventRules,
    envelopes,
    retryPolicy,
    attemptRequests,
    attemptLog: { keep: async () => {} },
    signer,
    transport: keepAliveTransport(),
    addressGuard,
    resolveHost,
    trustedOrigins: setting.trustedOrigins,
    secretEncryption: secretEncryptionWith(setting.webhookKey),
    dispatcher: new Dispatcher(),
    dueWork: [attemptTimeouts, attemptsDue, searchWork],
    operations,
    controlOperations,
    extensions: [],
    storageQuota: new StorageQuota(),
    storage: storageOf(setting.databaseFile),
    reportFault: reportOnceWhileFull(reportFault, () => systemClock.now()),
    trustedProxies: setting.trustedProxies,
  };
}
