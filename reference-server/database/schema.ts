/**
 * The tables, as types for the queries; `migrations.ts` creates them.
 *
 * They are the same on SQLite and PostgreSQL, so only integer, bigint and text columns are used: times are milliseconds
 * since 1970, flags are 0 or 1, and what is never searched for is JSON in a `body` column.
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
  /** The instance that makes the clock stand, to move it; null while it runs. */
  clock_moved_by: string | null;
  /** 1 if its webhooks may go to trusted receivers. */
  trusts_receivers: 0 | 1;
  created_at: number;
}

/** One row per integrator; whoever changes its deliveries takes this row first, which puts changes in commit order. */
export interface ChangeSequenceTable {
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

/** Numbers that are given in the order of commits: whoever takes the next one holds the row until it commits. */
export interface CounterTable {
  name: "clock_advances";
  value: number;
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
  /** Encrypted; see `parts.secretEncryption`. */
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
  /** The instance that is at it; null for none. */
  leased_by: string | null;
  /** When the attempt that is under way began. */
  started_at: number | null;
  /** How the last attempt ended: an HTTP status, or what went wrong. */
  outcome: string | null;
}

/** Origins that webhooks may be sent to on private addresses. */
export interface TrustedReceiverTable {
  origin: string;
  /** A CA that may have signed the certificate there. */
  ca_pem: string | null;
  /** Real time of its last use. */
  used_at: number;
}

/** What the sandbox knows of an integrator besides the service. */
export interface SandboxTable {
  integrator_id: string;
  /** For people. */
  name: string | null;
  /** 1 where simulated couriers take its deliveries. */
  simulated: number;
}

/** One attempt to send an event, kept for people to look at. Times are the integrator's. */
export interface AttemptTable {
  id: string;
  event_id: string;
  webhook_id: string;
  /** From 1. */
  ordinal: number;
  started_at: number;
  ended_at: number;
  url: string;
  /** JSON of names and values. */
  request_headers: string;
  /** An HTTP status; null where no answer came. */
  status: number | null;
  /** What went wrong where no answer came. */
  fault: string | null;
  response_headers: string | null;
  /** Its beginning. */
  response_body: string | null;
}

/** Where a delivery's courier was. */
export interface PositionTable {
  delivery_id: string;
  /** The delivery's version then, which puts positions in order. */
  version: number;
  at: number;
  /** JSON of lat and lng. */
  place: string;
}

/** What is true of the database as a whole. */
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

/** Reads take either; what must be atomic takes a `Transaction`. */
export type Tx = Transaction<Tables>;
export type Queryable = Database | Tx;
