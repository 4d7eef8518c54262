/**
 * The tables, as types for the queries and as the statements that create them.
 *
 * Both SQLite and PostgreSQL run these statements, so only integer, bigint and text columns are used: times are
 * milliseconds since 1970, flags are 0 or 1, and what is never searched for is JSON in a `body` column.
 */
import type { Kysely, Transaction } from "kysely";
import type { ImageType } from "../domain/model.ts";

/** Whoever holds credentials. Its clock is real time plus `clock_offset_ms`, or `clock_frozen_at` while it stands. */
export interface IntegratorTable {
  id: string;
  client_id: string;
  secret_hash: string;
  kind: "integrator" | "other";
  closed_at: number | null;
  clock_offset_ms: number;
  clock_frozen_at: number | null;
  created_at: number;
}

/** One row per integrator; whoever changes its deliveries takes this row first, which puts changes in commit order. */
export interface LedgerTable {
  integrator_id: string;
  change_number: number;
  changed_at: number;
  credit: number;
}

/** Every move of an integrator's clock. `id` counts over all integrators, so that "before" needs no clock. */
export interface ClockAdvanceTable {
  id: number;
  integrator_id: string;
  offset_after: number;
}

export interface TokenTable {
  hash: string;
  integrator_id: string;
  /** On the integrator's clock. */
  expires_at: number;
}

export interface CompanyTable {
  id: string;
  name: string;
}

/** A restaurant is bound to the first integrator that links it; several links of that one are allowed. */
export interface RestaurantTable {
  id: string;
  name: string | null;
  integrator_id: string | null;
}

export interface PairingCodeTable {
  code_hash: string;
  company_id: string;
  restaurant_id: string;
  /** Real time; `advances_seen` is the last clock advance before it, which gives the time on anyone's clock. */
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
  /** When time alone will change it, on the integrator's clock; null where it won't. */
  due_at: number | null;
  /** JSON of `DeliveryBody`. */
  body: string;
}

/** Photos. `place` is JSON of lat and lng, `bytes` base64: text, as both databases have it alike. */
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

/** What happened to deliveries, written in the transaction that made it happen; and trials, which are of none. */
export interface EventTable {
  id: string;
  integrator_id: string;
  delivery_id: string | null;
  type: string;
  version: number | null;
  occurred_at: number;
  /** The whole envelope, as it is sent each time: a retry sends the same bytes. */
  body: string;
}

export interface WebhookTable {
  id: string;
  integrator_id: string;
  url: string;
  /** Scheme, host and port of `url`: what is trusted or not. */
  origin: string;
  /** JSON of the kinds that are wanted. */
  event_types: string;
  description: string | null;
  /** ACTIVE, CLOSED (after failing, can be opened again) or DELETED. */
  status: string;
  /** Encrypted; see `parts.sealing`. */
  secret: string;
  failing_since: number | null;
  created_at: number;
}

/** One row for each event and each address that gets it. Times are the integrator's, save for `leased_until`. */
export interface OutboxTable {
  event_id: string;
  webhook_id: string;
  /** PENDING, DELIVERED, FAILED (given up) or CANCELLED (its address was closed). */
  state: string;
  /** Attempts that failed. */
  failures: number;
  due_at: number;
  /** Real time until which some process is at it; 0 for nobody. Whoever crashes loses the row when it passes. */
  leased_until: number;
  /** How the last attempt ended: an HTTP status, or what went wrong. */
  outcome: string | null;
}

/** Origins that webhooks may be sent to on private addresses. */
export interface TrustedReceiverTable {
  origin: string;
  /** A CA that may have signed the certificate there. */
  ca_pem: string | null;
}

export interface Tables {
  integrators: IntegratorTable;
  ledgers: LedgerTable;
  clock_advances: ClockAdvanceTable;
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
}

export type Database = Kysely<Tables>;

/** Reads take either; what must be atomic takes a `Transaction`. */
export type Tx = Transaction<Tables>;
export type Queryable = Database | Tx;

/**
 * Statements that create everything that is missing; running them again changes nothing.
 *
 * An external_ref is unique within its store, and so within the integrator's stores of that reference: an index in this
 * order serves the look-up by reference too.
 */
export const schema: readonly string[] = [
  `create table if not exists integrators (
    id text primary key, client_id text not null unique, secret_hash text not null, kind text not null,
    closed_at bigint, clock_offset_ms bigint not null, clock_frozen_at bigint, created_at bigint not null)`,
  `create table if not exists ledgers (
    integrator_id text primary key, change_number bigint not null, changed_at bigint not null,
    credit bigint not null)`,
  `create table if not exists clock_advances (
    id bigint primary key, integrator_id text not null, offset_after bigint not null)`,
  `create index if not exists clock_advances_of on clock_advances (integrator_id, id)`,
  `create table if not exists tokens (
    hash text primary key, integrator_id text not null, expires_at bigint not null)`,
  `create index if not exists tokens_of on tokens (integrator_id, expires_at)`,
  `create table if not exists companies (id text primary key, name text not null unique)`,
  `create table if not exists restaurants (id text primary key, name text unique, integrator_id text)`,
  `create table if not exists pairing_codes (
    code_hash text primary key, company_id text not null, restaurant_id text not null, issued_at bigint not null,
    advances_seen bigint not null, expires_in_ms bigint, used_at bigint)`,
  `create table if not exists stores (
    id text primary key, integrator_id text not null, external_store_id text not null,
    restaurant_id text not null, company_id text not null, status text not null, created_at bigint not null,
    updated_at bigint not null, body text not null, settings text not null)`,
  `create unique index if not exists stores_by_name on stores (integrator_id, external_store_id)`,
  `create table if not exists deliveries (
    id text primary key, integrator_id text not null, store_id text not null, external_ref text not null,
    tracking_key text not null, status text not null, version integer not null, change_number bigint not null,
    created_at bigint not null, updated_at bigint not null, due_at bigint, body text not null)`,
  `create unique index if not exists deliveries_by_ref on deliveries
    (integrator_id, external_ref, store_id)`,
  `create unique index if not exists deliveries_by_tracking_key on deliveries (tracking_key)`,
  `create unique index if not exists deliveries_in_order on deliveries
    (integrator_id, updated_at, change_number)`,
  `create index if not exists deliveries_of_status on deliveries
    (integrator_id, status, updated_at, change_number)`,
  `create index if not exists deliveries_of_store on deliveries (store_id, updated_at, change_number)`,
  `create index if not exists deliveries_due on deliveries (integrator_id, due_at) where due_at is not null`,
  `create index if not exists deliveries_by_creation on deliveries (integrator_id, created_at)`,
  `create table if not exists proofs (
    id text primary key, delivery_id text not null, ordinal integer not null, mime text not null,
    size integer not null, place text not null, created_at bigint not null, bytes text not null)`,
  `create unique index if not exists proofs_in_order on proofs (delivery_id, ordinal)`,
  `create table if not exists idempotency_keys (
    scope text not null, key text not null, fingerprint text not null, delivery_id text not null,
    created_at bigint not null, primary key (scope, key))`,
  `create table if not exists events (
    id text primary key, integrator_id text not null, delivery_id text, type text not null,
    version integer, occurred_at bigint not null, body text not null)`,
  `create index if not exists events_of_positions on events (delivery_id, occurred_at)
    where type = 'delivery.courier_location'`,
  `create table if not exists webhooks (
    id text primary key, integrator_id text not null, url text not null, origin text not null,
    event_types text not null, description text, status text not null, secret text not null,
    failing_since bigint, created_at bigint not null)`,
  `create index if not exists webhooks_of on webhooks (integrator_id, status)`,
  `create table if not exists outbox (
    event_id text not null, webhook_id text not null, state text not null, failures integer not null,
    due_at bigint not null, leased_until bigint not null, outcome text, primary key (event_id, webhook_id))`,
  `create index if not exists outbox_due on outbox (webhook_id, due_at) where state = 'PENDING'`,
  `create table if not exists trusted_receivers (origin text primary key, ca_pem text)`,
];
