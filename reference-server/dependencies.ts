/**
 * The types of all replaceable dependencies of the server; `default-dependencies.ts` has the defaults. Code
 * reads a dependency from `deps` at each use, and never imports the default. A function from dependencies
 * to dependencies makes another server: `(p) => ({ ...p, cursor: { ...p.cursor, encode } })`.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { components } from "../openapi/generated/courier-dispatch.ts";
import type { AuthenticatedApi, ControlApi, PublicApi } from "./contract/apis.ts";
import type { Operations } from "./contract/calls.ts";
import type { OpenApiDocument } from "./contract/documents.ts";
import type { Route } from "./contract/routes.ts";
import type { Instances } from "./database/instances.ts";
import type { Database, Tx } from "./database/schema.ts";
import type { Storage } from "./database/storage.ts";
import type { Prices } from "./domain/areas/prices.ts";
import type { AddressResolver } from "./domain/areas/resolver.ts";
import type { ServiceArea } from "./domain/areas/service-area.ts";
import type { Clock } from "./domain/clock.ts";
import type { CourierRules } from "./domain/courier.ts";
import type { Ids, SecretHasher } from "./domain/credentials.ts";
import type { Credit } from "./domain/credit.ts";
import type { Idempotency } from "./domain/idempotency.ts";
import type { Lifecycle } from "./domain/lifecycle.ts";
import type {
  Courier,
  Delivery,
  DeliveryEventKind,
  Dropoff,
  EventKind,
  Proof,
  QuoteResult,
  Store,
  StoreSettings,
} from "./domain/model.ts";
import type { Cursor } from "./domain/paging/cursor.ts";
import type { Paging } from "./domain/paging/paging.ts";
import type { Pairing } from "./domain/pairing.ts";
import type { PaymentType } from "./domain/payment-types.ts";
import type { Phone } from "./domain/phone.ts";
import type { Country, Distance } from "./domain/places.ts";
import type { CourierSearch } from "./domain/search.ts";
import type { StorageQuota } from "./domain/storage-quota.ts";
import type { Tokens } from "./domain/tokens.ts";
import type { TrackedCourier } from "./domain/tracked.ts";
import type { Tracking } from "./domain/tracking.ts";
import type { ErrorCode, ErrorTable, Failure } from "./errors.ts";
import type { AddressGuard, ResolveHost } from "./events/address-guard.ts";
import type { Envelopes } from "./events/envelope.ts";
import type { SecretEncryption } from "./events/secret-encryption.ts";
import type { Signer } from "./events/signature.ts";
import type { Limits, RateLimit, RateLimitName } from "./limits.ts";
import type { ChangeStamp } from "./records/change-sequence.ts";
import type { Records } from "./records/index.ts";
import type { Integrator } from "./records/integrators.ts";
import type { Dispatch, Endpoint } from "./records/outbox.ts";
import type { Webhook } from "./records/webhooks.ts";

export interface Dependencies {
  /** The document that defines routes and request validation. Clone it to change it. */
  document: OpenApiDocument;
  controlDocument: OpenApiDocument;
  /** The version that /healthz reports, as a date. */
  apiVersion: string;
  /** The public base URL without a trailing slash. */
  publicUrl(): string;
  /** The control token's hash; null for no control interface. */
  controlTokenHash: string | null;

  clock: Clock;
  ids: Ids;
  credentials: SecretHasher;
  tokens: Tokens;

  database: Database;
  /** All instances on this database, including this one. */
  instances: Instances;
  /** Runs the work in one transaction and rolls back if it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  records: Records;

  limits: Limits;
  limiter: Limiter;
  bucketOf(counted: CountedRequest): Bucket;
  /** The status of the last of `count` requests in the window at `now`. */
  rateLimitStatus(limit: RateLimit, count: number, now: number): RateLimitStatus;
  /** The headers of a response with this status. */
  limitHeaders(rateLimit: RateLimitStatus, status: number): Record<string, string>;
  /** Throws 415 if a body is sent or required and the operation doesn't accept the body's type. */
  checkContentType(route: Route, request: { headers: IncomingHttpHeaders }): void;
  /** A request's body, parsed if the operation takes JSON; throws 400 for invalid JSON. */
  bodyOf(route: Route, bytes: unknown): unknown;

  errors: ErrorTable;
  /** Converts records to resources of the API. */
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
  addressResolver: AddressResolver;
  paymentTypes: readonly PaymentType[];
  /** Settings of a newly linked store. */
  storeDefaults: StoreSettings;
  credit: Credit;
  lifecycle: Lifecycle;
  /** The fields that a courier action changes, other than the state. */
  courier: CourierRules;
  /** When the search for a courier starts, and when its failure is alerted. */
  courierSearch: CourierSearch;
  /** Makes the changes that time alone causes, in real time. */
  alarm: Alarm;
  tracking: Tracking;
  /** Sets a changed delivery's version, number and time; `kind` is the event that reports the change. */
  revise(
    before: Delivery,
    change: Partial<Delivery>,
    stamp: ChangeStamp,
    kind: DeliveryEventKind | null,
  ): Delivery;

  /** Stores the event of a change, in the same transaction. */
  emit: Emit;
  eventRules: EventRules;
  /** The bodies of events. */
  envelopes: Envelopes;
  /** Decides after an attempt about retries and about closing the endpoint. `limits` has the delays. */
  retryPolicy: RetryPolicy;
  /** The request of an attempt. */
  attemptRequests: AttemptRequests;
  /** Logs attempts for the console. */
  attemptLog: AttemptLog;
  signer: Signer;
  /** Sends requests to webhook endpoints. */
  transport: Transport;
  /** The addresses that webhooks may reach. */
  addressGuard: AddressGuard;
  resolveHost: ResolveHost;
  /** Private origins that webhooks may go to, in addition to the origins that the control interface trusts. */
  trustedOrigins: readonly string[];
  /** Encrypts stored webhook secrets. */
  secretEncryption: SecretEncryption;
  /** Sends the events of the outbox. */
  dispatcher: WebhookDispatcher;

  /** The work that runs at its due times during a clock advance. */
  dueWork: readonly DueWork[];

  operations: Required<
    Operations<PublicApi, PublicContext> & Operations<AuthenticatedApi, AuthenticatedContext>
  >;
  controlOperations: Required<Operations<ControlApi, ControlContext>>;

  /** Further routes, such as the console. */
  extensions: readonly Extension[];

  /** Bytes stored today, by integrator. */
  storageQuota: StorageQuota;

  storage: Storage;

  /** Called with every error that caused a 500. */
  reportFault(error: unknown): void;

  /** Proxies whose `X-Forwarded-For` is trusted, as addresses or networks. */
  trustedProxies: readonly string[];
}

/** Context of an operation that requires no credentials. */
export interface PublicContext {
  deps: Dependencies;
  /** The caller's IP address. */
  address: string;
}

export interface AuthenticatedContext extends PublicContext {
  integrator: Integrator;
  tokenHash: string;
  /** The integrator's time in ms when the request was admitted. */
  now: number;
}

export interface ControlContext {
  deps: Dependencies;
}

/**
 * The integrator of a valid token. Otherwise the error code, which an operation that requires a token returns
 * with 401.
 */
export type Identity = { integrator: Integrator; tokenHash: string; now: number } | { refusal: ErrorCode };

/** Counts requests by key. Keys expire after their window. */
export interface Limiter {
  /** Counts a request. Returns the key's count, including this request. Never throws. */
  count(key: string): Promise<number>;
  /** Returns the key's count. */
  read(key: string): Promise<number>;
  /** State of Redis; `none` for counters in memory. */
  state(): Promise<"ok" | "down" | "none">;
  close(): Promise<void>;
}

/** A rate-limit counter: its limit, its key, and the time on its clock, since the start of any of its windows. */
export interface Bucket {
  limit: RateLimitName;
  subject: string;
  now: number;
}

/** The properties that determine a request's counter. `realNow` is real time in ms. */
export interface CountedRequest {
  operationId: string | undefined;
  identity: Identity;
  address: string;
  realNow: number;
}

/** A request's position in its rate window. */
export interface RateLimitStatus {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

type Schemas = components["schemas"];

/** The resources of the specification, each built from its record. */
export interface Views {
  failure(failure: Failure): unknown;
  store(store: Store): Schemas["Store"];
  area(store: Store): Schemas["DeliveryArea"];
  quote(quote: QuoteResult): Schemas["Quote"];
  delivery(deps: Dependencies, delivery: Delivery): Schemas["Delivery"];
  dropoff(dropoff: Dropoff): Schemas["Dropoff"];
  courier(courier: Courier): Schemas["Courier"];
  proof(proof: Proof): Schemas["Proof"];
  tracking(deps: Dependencies, delivery: Delivery, store: Store): Schemas["Tracking"];
  trackedCourier(deps: Dependencies, delivery: Delivery, courier: Courier): TrackedCourier;
  /** A subscription without its secret. */
  webhook(webhook: Webhook): Schemas["Webhook"];
  page(
    deps: Dependencies,
    items: readonly Delivery[],
    next: string | null,
    more: boolean,
  ): Schemas["DeliveryPage"];
}

/** Work with due times on the integrator's clock: `next` returns the earliest due time, `run` does the work due then. */
export interface DueWork {
  next(deps: Dependencies, integratorId: string): Promise<number | undefined>;
  /** `waitMs` is the real time for which the clock is frozen while an attempt waits for its response. */
  run(deps: Dependencies, integratorId: string, at: number, waitMs: number): Promise<void>;
}

export interface Alarm {
  /** Before `start` and after `stop`, the other methods do nothing. */
  start(deps: Dependencies): void;
  /** Schedules the delivery's next change by time at `at`. May be called before the commit. */
  schedule(delivery: Delivery, at: number): void;
  /** Looks for due work immediately. Called after a clock was moved. */
  wake(): void;
  /** Resolves when the work in progress is done. */
  stop(): Promise<void>;
}

export type Emit = (deps: Dependencies, tx: Tx, delivery: Delivery, kind: DeliveryEventKind) => Promise<void>;

/** The rules for events and their recipients. */
export interface EventRules {
  /** True if a position is reported this long after the last reported one. */
  reportsPosition(limits: Limits, sinceLastMs: number): boolean;
  /**
   * True if an endpoint subscribed to these types gets an event of this type. Positions are only sent on
   * explicit request.
   */
  wants(eventTypes: readonly string[], kind: EventKind): boolean;
}

/** The rules for retries and for closing an endpoint (specification, Delivery, retry and closing). */
export interface RetryPolicy {
  isSuccess(status: number): boolean;
  /** True if this status closes the endpoint immediately. */
  closesEndpoint(status: number): boolean;
  /** The time of the next attempt after this many failures, the last at `failedAt`; undefined for none. */
  retryAt(limits: Limits, failures: number, failedAt: number): number | undefined;
  /** True if an endpoint that has failed since `failingSince` is closed. */
  givesUp(limits: Limits, failingSince: number, now: number): boolean;
}

export interface AttemptRequests {
  /** The request of an attempt that starts at `now` on the integrator's clock, in ms. */
  request(deps: Dependencies, dispatch: Dispatch, now: number): WebhookRequest;
  /** The specification's three headers ("Request headers of a delivery attempt"). */
  headers(deps: Dependencies, dispatch: Dispatch, secret: string, now: number): Record<string, string>;
}

/** The status of a complete response, or the fault. */
export type AttemptOutcome = { status: number } | { fault: string };

export interface LoggedAttempt {
  dispatch: Dispatch;
  request: WebhookRequest;
  /** On the integrator's clock. */
  startedAt: number;
  outcome: AttemptOutcome;
  /** The response; undefined without a response. */
  answer: WebhookResponse | undefined;
}

export interface AttemptLog {
  /** Never rejects: a failure to log doesn't affect the event. */
  keep(deps: Dependencies, attempt: LoggedAttempt): Promise<void>;
}

/**
 * Webhooks may be sent to the origin even if its address is private. If there is a CA, it may have signed the
 * certificate.
 */
export interface OriginTrust {
  ca_pem: string | null;
}

export interface WebhookRequest {
  method: "POST" | "PUT";
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The subscription of the event. */
  webhookId: string;
  /** Null for an untrusted origin. */
  trust: OriginTrust | null;
}

export interface WebhookResponse {
  status: number;
  /** Target of a redirect. Redirects aren't followed. */
  location: string | undefined;
  /** For display only. */
  headers?: Record<string, string>;
  /** The part that was read. */
  body?: Buffer;
}

export interface Transport {
  /**
   * Resolves once the response, up to the size limit, is read. Throws if there is no response, or if `signal`
   * aborts.
   */
  post(deps: Dependencies, outgoing: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
  close(): Promise<void>;
}

/** An attempt that waits for its response. */
export interface PendingAttempt {
  /** Resolves when the outcome is recorded; true if the event was delivered. Never rejects. */
  readonly ended: Promise<boolean>;
  /** On the integrator's clock. */
  readonly deadline: number;
  /** Ends the attempt as timed out. */
  timeOut(): void;
}

export interface WebhookDispatcher {
  /** Starts sending the outbox's pending events. Before `start`, the other methods do nothing. */
  start(deps: Dependencies): Promise<void>;
  /**
   * Sends overdue events that no instance has claimed, except recent events, which the instance that wrote them may still
   * send.
   */
  sweep(): Promise<void>;
  /** Checks the endpoint's queue, because an event may be due. */
  wake(endpoint: Endpoint): void;
  /** Stops claiming events. Resolves when all attempts in progress have ended, or after `ms` of real time. */
  finish(ms: number): Promise<void>;
  /**
   * Aborts attempts in progress without an outcome. Another instance, or the next start, sends the events
   * again.
   */
  stop(): Promise<void>;
  /**
   * Freezes the integrator's clock. Resolves when every pending attempt has its response, or has waited for
   * `waitMs` of real time.
   */
  drain(integratorId: string, waitMs: number): Promise<void>;
  /** Continues the integrator's clock at the time `now`. */
  resume(integratorId: string, now: number): Promise<void>;
  /** Called when another instance has unfrozen the integrator's clock. */
  clockWasMoved(integratorId: string): Promise<void>;
  /** Sends the events due at `now` while the integrator's clock is frozen there. Resolves as `drain` does. */
  sendDue(integratorId: string, now: number, waitMs: number): Promise<void>;
  /** Attempts that wait for their responses. */
  pendingAttempts(integratorId: string): PendingAttempt[];
}

/** A further interface of the server. */
export interface Extension {
  addRoutes(app: FastifyInstance, deps: Dependencies): void;
  /** Adds hooks to requests of the service. */
  addHooks(service: FastifyInstance, deps: Dependencies): void;
}
