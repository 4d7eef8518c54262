/** Creates and migrates the tables. */
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database, Tables } from "./schema.ts";
import { UnusableDatabase } from "./unusable.ts";

/**
 * The first migration. The unique index on external_ref starts with the integrator, because lookups use the
 * index too.
 */
const tables: readonly string[] = [
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

/** Supports several instances on one database, and the deletion of old records. */
const severalInstances: readonly string[] = [
  "alter table integrators add column clock_moved_by text",
  "alter table outbox add column leased_by text",
  "alter table outbox add column started_at bigint",
  "create index outbox_leased on outbox (leased_by) where leased_by is not null",
  "create table counters (name text primary key, value bigint not null)",
  "insert into counters (name, value) select 'clock_advances', coalesce(max(id), 0) from clock_advances",
  "create table properties (name text primary key, value text not null)",
  "create index events_by_age on events (integrator_id, occurred_at)",
  "create index idempotency_keys_by_age on idempotency_keys (scope, created_at)",
];

/** Tables that only the sandbox's console reads. */
const sandbox: readonly string[] = [
  "create table sandbox (integrator_id text primary key, name text, simulated integer not null)",
  `create table attempts (
    id text primary key, event_id text not null, webhook_id text not null, ordinal integer not null,
    started_at bigint not null, ended_at bigint not null, url text not null, request_headers text not null,
    status integer, fault text, response_headers text, response_body text)`,
  "create index attempts_of on attempts (event_id, webhook_id, ordinal)",
  `create table positions (
    delivery_id text not null, version integer not null, at bigint not null, place text not null,
    primary key (delivery_id, version))`,
];

const silence: readonly string[] = ["alter table outbox add column silent integer not null default 0"];

/** Drops the column `silent`, because the wait for an attempt is computed from the attempt's start. */
const attemptWait: readonly string[] = ["alter table outbox drop column silent"];

/** Trust in a receiver applies only to some integrators, and expires. */
const trust: readonly string[] = [
  "alter table integrators add column trusts_receivers integer not null default 0",
  "update integrators set trusts_receivers = 1",
  "alter table trusted_receivers add column used_at bigint not null default 0",
];

/**
 * The migrations in the order of their names. A published migration never changes. The first migration accepts existing
 * tables.
 */
const migrations: Record<string, Migration> = {
  "0001-tables": running(tables),
  "0002-several-instances": running(severalInstances),
  "0003-sandbox": running(sandbox),
  "0004-silence": running(silence),
  "0005-attempt-wait": running(attemptWait),
  "0006-trust": running(trust),
};

function running(statements: readonly string[]): Migration {
  return {
    async up(database: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(database);
    },
  };
}

/**
 * Migrates the tables, all or nothing. If several processes start at once, one migrates and the others wait.
 * Throws UnusableDatabase if a newer server has migrated the tables already.
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && /previously executed migration .* is missing/.test(error.message)) {
    throw new UnusableDatabase(
      "a newer version of this server has migrated it: use that version, or another database",
    );
  }
  if (error !== undefined) throw error;
}
