/**
 * The tables as types for queries; `migrations.ts` creates them.
 *
 * SQLite and PostgreSQL use the same column types: integer, bigint and text. Times are Unix times in
 * milliseconds, flags are 0 or 1, and data that isn't searched is JSON in a `body` column.
 */
import type { Kysely, Transaction } from "kysely";
import type { ImageType } from "../domain/model.ts";

/**
 * A client of the service. Its clock is real time plus `clock_offset_ms`, or `clock_frozen_at` while it is
 * frozen.
 */
export interface IntegratorTable {
  id: string;
  client_id: string;
  secret_hash: string;
  kind: "integrator" | "other";
  closed_at: number | null;
  clock_offset_ms: number;
  clock_frozen_at: number | null;
  /** The instance that froze the clock in order to advance it; null while the clock runs. */
  clock_moved_by: string | null;
  /** 1 if the integrator's webhooks may go to trusted receivers. */
  trusts_receivers: 0 | 1;
  created_at: number;
}

/**
 * One row per integrator. Each change of an integrator's deliveries locks the integrator's row first, so changes are numbered in
 * commit order.
 */
interface ChangeSequenceTable {
  integrator_id: string;
  change_number: number;
  changed_at: number;
  credit: number;
}

/** Every advance of an integrator's clock. `id` counts the advances of all integrators, in order. */
interface ClockAdvanceTable {
  id: number;
  integrator_id: string;
  offset_after: number;
}

/**
 * Counters. A transaction that takes the next number locks the row until it commits, so numbers are in commit
 * order.
 */
interface CounterTable {
  name: "clock_advances";
  value: number;
}

export interface TokenTable {
  hash: string;
  integrator_id: string;
  /** On the integrator's clock. */
  expires_at: number;
}

interface CompanyTable {
  id: string;
  name: string;
}

/** A restaurant is bound to the first integrator that links it, which may link it several times. */
export interface RestaurantTable {
  id: string;
  name: string | null;
  integrator_id: string | null;
}

export interface PairingCodeTable {
  code_hash: string;
  company_id: string;
  restaurant_id: string;
  /**
   * The time of issue in real time. `advances_seen` is the id of the last clock advance before the issue, which is needed
   * to convert the time to an integrator's clock.
   */
  issued_at: number;
  advances_seen: number;
  expires_in_ms: number | null;
  used_at: number | null;
}

export interface StoreTable {
  id: string;
  integrator_id: string;
  external_store_id: string;
  restaurant_id: string;
  company_id: string;
  status: string;
  created_at: number;
  updated_at: number;
  /** JSON of `StoreBody`. */
  body: string;
  /** JSON of `StoreSettings`. */
  settings: string;
}

export interface DeliveryTable {
  id: string;
  integrator_id: string;
  store_id: string;
  external_ref: string;
  tracking_key: string;
  status: string;
  version: number;
  change_number: number;
  created_at: number;
  updated_at: number;
  /**
   * The integrator's time of the next change that no request causes, such as the start of a courier search;
   * null for none.
   */
  due_at: number | null;
  /** JSON of `DeliveryBody`. */
  body: string;
}

/** Photos. `place` is JSON of lat and lng. `bytes` is base64 text, which both databases support. */
export interface ProofTable {
  id: string;
  delivery_id: string;
  ordinal: number;
  mime: ImageType;
  size: number;
  place: string;
  created_at: number;
  bytes: string;
}

export interface IdempotencyTable {
  scope: string;
  key: string;
  fingerprint: string;
  delivery_id: string;
  created_at: number;
}

/**
 * Delivery events, each written in the transaction of its change, and test events, which have no delivery.
 */
export interface EventTable {
  id: string;
  integrator_id: string;
  delivery_id: string | null;
  type: string;
  version: number | null;
  occurred_at: number;
  /** The envelope as sent. A retry sends the same bytes. */
  body: string;
}

export interface WebhookTable {
  id: string;
  integrator_id: string;
  url: string;
  /** Scheme, host and port of `url`; trust is given per origin. */
  origin: string;
  /** JSON list of the subscribed event kinds. */
  event_types: string;
  description: string | null;
  /** ACTIVE, CLOSED (after failures; it can be reopened) or DELETED. */
  status: string;
  /** Encrypted by `deps.secretEncryption`. */
  secret: string;
  failing_since: number | null;
  created_at: number;
}

/** One row for each event and endpoint. Times are on the integrator's clock, except `leased_until`. */
export interface OutboxTable {
  event_id: string;
  webhook_id: string;
  /** PENDING, DELIVERED, FAILED (no retries left) or CANCELLED (its endpoint was closed). */
  state: string;
  /** The number of failed attempts. */
  failures: number;
  due_at: number;
  /**
   * End of the lease, in real time; 0 for no lease. If the process crashes, another process may send the event
   * when the lease has ended.
   */
  leased_until: number;
  /** The instance that holds the lease; null for none. */
  leased_by: string | null;
  /** Start of the attempt in progress. */
  started_at: number | null;
  /** The result of the last attempt: an HTTP status or the error. */
  outcome: string | null;
}

/** Origins with private addresses that webhooks may be sent to. */
export interface TrustedReceiverTable {
  origin: string;
  /** A CA that may have signed the origin's certificate. */
  ca_pem: string | null;
  /** Real time at which a webhook was last sent there. */
  used_at: number;
}

/** The sandbox's data about an integrator. */
export interface SandboxTable {
  integrator_id: string;
  /** A name for display. */
  name: string | null;
  /** 1 if simulated couriers accept the integrator's deliveries. */
  simulated: number;
}

/** One delivery attempt, as the console shows it. Times are on the integrator's clock. */
export interface AttemptTable {
  id: string;
  event_id: string;
  webhook_id: string;
  /** Starts at 1. */
  ordinal: number;
  started_at: number;
  ended_at: number;
  url: string;
  /** JSON of names and values. */
  request_headers: string;
  /** An HTTP status; null without a response. */
  status: number | null;
  /** The error, if there was no response. */
  fault: string | null;
  response_headers: string | null;
  /** The start of the body. */
  response_body: string | null;
}

/** Positions of couriers. */
interface PositionTable {
  delivery_id: string;
  /** The delivery's version at the time of the position. Positions are ordered by version. */
  version: number;
  at: number;
  /** JSON of lat and lng. */
  place: string;
}

/** Properties of the database. */
export interface PropertyTable {
  name: "sealing_check";
  value: string;
}

export interface Tables {
  integrators: IntegratorTable;
  ledgers: ChangeSequenceTable;
  clock_advances: ClockAdvanceTable;
  counters: CounterTable;
  tokens: TokenTable;
  companies: CompanyTable;
  restaurants: RestaurantTable;
  pairing_codes: PairingCodeTable;
  stores: StoreTable;
  deliveries: DeliveryTable;
  proofs: ProofTable;
  idempotency_keys: IdempotencyTable;
  events: EventTable;
  webhooks: WebhookTable;
  outbox: OutboxTable;
  trusted_receivers: TrustedReceiverTable;
  properties: PropertyTable;
  sandbox: SandboxTable;
  attempts: AttemptTable;
  positions: PositionTable;
}

export type Database = Kysely<Tables>;

/** Writes that must be atomic require a `Tx`; reads accept a `Queryable`. */
export type Tx = Transaction<Tables>;
export type Queryable = Database | Tx;
