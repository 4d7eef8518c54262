import { sql } from "kysely";
import { columns, prepared } from "../database/prepared.ts";
import type { Database, OutboxTable, Queryable, Tx } from "../database/schema.ts";
import type { ClockSetting } from "../domain/clock.ts";

/** An event on its way to an address. */
export interface Sending {
  event_id: string;
  webhook_id: string;
}

/** All that one attempt needs to know, as it is when the attempt begins. */
export interface Dispatch extends Sending, ClockSetting {
  integrator_id: string;
  type: string;
  version: number | null;
  occurred_at: number;
  body: string;
  failures: number;
  due_at: number;
  url: string;
  origin: string;
  /** As it is kept, which is encrypted. */
  secret: string;
  /** Null where the origin isn't trusted. */
  trusted_origin: string | null;
  ca_pem: string | null;
}

/** Where events are sent. */
export interface Address {
  webhook_id: string;
  integrator_id: string;
}

const pending = sql.lit("PENDING");

export const outboxRecords = {
  /** Has the event sent to the address from `dueAt` on. */
  async insert(tx: Tx, { event_id, webhook_id }: Sending, dueAt: number): Promise<void> {
    const state = { state: "PENDING", failures: 0, due_at: dueAt, leased_until: 0, outcome: null };
    await insertRow(tx, { event_id, webhook_id, ...state });
  },

  /** Takes up to `rows` of what is due at an address for this process; `now` is the integrator's time. */
  async claim(
    db: Database,
    webhookId: string,
    rows: number,
    times: { now: number; real: number; leasedUntil: number },
  ): Promise<string[]> {
    const claimed = await claimRows(db, { webhookId, rows, ...times });
    return claimed.rows.map(({ event_id }) => event_id);
  },

  /** What to send of these events to an address, save what was cancelled. */
  async dispatches(db: Database, webhookId: string, eventIds: readonly string[]): Promise<Dispatch[]> {
    return db
      .selectFrom("outbox as o")
      .innerJoin("events as e", "e.id", "o.event_id")
      .innerJoin("webhooks as w", "w.id", "o.webhook_id")
      .innerJoin("integrators as i", "i.id", "w.integrator_id")
      .leftJoin("trusted_receivers as t", "t.origin", "w.origin")
      .select(["o.event_id", "o.webhook_id", "o.failures", "o.due_at"])
      .select(["e.integrator_id", "e.type", "e.version", "e.occurred_at", "e.body"])
      .select(["w.url", "w.origin", "w.secret", "t.origin as trusted_origin", "t.ca_pem"])
      .select(["i.clock_offset_ms", "i.clock_frozen_at"])
      .where("o.webhook_id", "=", webhookId)
      .where("o.event_id", "in", [...eventIds])
      .where("o.state", "=", pending)
      .orderBy("e.occurred_at")
      .orderBy("e.version")
      .orderBy("e.type")
      .execute();
  },

  /** When the next of what nobody is at falls due at an address. */
  async nextDue(db: Database, webhookId: string, real: number): Promise<number | undefined> {
    return (await nextOfWebhook(db, { webhookId, real })).rows[0]?.due_at;
  },

  /** The same over all addresses of an integrator. */
  async nextDueOf(db: Database, integratorId: string, real: number): Promise<number | undefined> {
    return (await nextOfIntegrator(db, { integratorId, real })).rows[0]?.due_at ?? undefined;
  },

  /** How an attempt ended, where it is still wanted; false where it was cancelled meanwhile. */
  async settle(
    db: Queryable,
    sending: Sending,
    to: Pick<OutboxTable, "state" | "failures" | "due_at" | "outcome">,
  ): Promise<boolean> {
    return (await settleRow(db, { ...sending, ...to })).numAffectedRows === 1n;
  },

  /** Gives back what was taken and not tried. */
  async release(db: Database, { event_id, webhook_id }: Sending): Promise<void> {
    await releaseRow(db, { event_id, webhook_id });
  },

  /** Takes everything from processes that are gone; only where no other can be at it. */
  async releaseAll(db: Database): Promise<void> {
    await db
      .updateTable("outbox")
      .set({ leased_until: 0 })
      .where("state", "=", pending)
      .where("leased_until", ">", 0)
      .execute();
  },

  /** Drops what waits to be sent to an address. */
  async cancel(tx: Tx, webhookId: string): Promise<void> {
    await cancelRows(tx, { webhookId });
  },

  /** Every address with something to be sent that nobody is at. */
  async waiting(db: Database, real: number): Promise<Address[]> {
    return db
      .selectFrom("outbox as o")
      .innerJoin("webhooks as w", "w.id", "o.webhook_id")
      .select(["w.id as webhook_id", "w.integrator_id"])
      .distinct()
      .where("o.state", "=", pending)
      .where("o.leased_until", "<=", real)
      .execute();
  },

  /** The integrator's addresses with something to be sent. */
  async addressesOf(db: Database, integratorId: string): Promise<Address[]> {
    return (await addressesOf(db, { integratorId })).rows;
  },
};

const insertRow = prepared<OutboxTable>()((db, p) =>
  db
    .insertInto("outbox")
    .values(columns(p, "event_id", "webhook_id", "state", "failures", "due_at", "leased_until", "outcome")),
);

interface Claim {
  webhookId: string;
  rows: number;
  now: number;
  real: number;
  leasedUntil: number;
}

const claimRows = prepared<Claim>()((db, p) =>
  db
    .updateTable("outbox")
    .set({ leased_until: p.leasedUntil })
    .where("webhook_id", "=", p.webhookId)
    // Once more for the rows themselves: between two that choose at the same time, the first has them.
    .where("leased_until", "<=", p.real)
    .where("event_id", "in", (eb) =>
      eb
        .selectFrom("outbox")
        .select("event_id")
        .where("webhook_id", "=", p.webhookId)
        .where("state", "=", pending)
        .where("due_at", "<=", p.now)
        .where("leased_until", "<=", p.real)
        .orderBy("due_at")
        .limit(p.rows),
    )
    .returning("event_id"),
);

const nextOfWebhook = prepared<{ webhookId: string; real: number }>()((db, p) =>
  db
    .selectFrom("outbox")
    .select("due_at")
    .where("webhook_id", "=", p.webhookId)
    .where("state", "=", pending)
    .where("leased_until", "<=", p.real)
    .orderBy("due_at")
    .limit(1),
);

const nextOfIntegrator = prepared<{ integratorId: string; real: number }>()((db, p) =>
  db
    .selectFrom("webhooks as w")
    .select((eb) =>
      eb
        .selectFrom("outbox as o")
        .select("o.due_at")
        .whereRef("o.webhook_id", "=", "w.id")
        .where("o.state", "=", pending)
        .where("o.leased_until", "<=", p.real)
        .orderBy("o.due_at")
        .limit(1)
        .as("due_at"),
    )
    .where("w.integrator_id", "=", p.integratorId)
    .orderBy(sql`1`, (order) => order.asc().nullsLast())
    .limit(1),
);

const settleRow = prepared<Sending & Pick<OutboxTable, "state" | "failures" | "due_at" | "outcome">>()(
  (db, p) =>
    db
      .updateTable("outbox")
      .set({ ...columns(p, "state", "failures", "due_at", "outcome"), leased_until: 0 })
      .where("event_id", "=", p.event_id)
      .where("webhook_id", "=", p.webhook_id)
      .where("state", "=", pending),
);

const releaseRow = prepared<Sending>()((db, p) =>
  db
    .updateTable("outbox")
    .set({ leased_until: 0 })
    .where("event_id", "=", p.event_id)
    .where("webhook_id", "=", p.webhook_id)
    .where("state", "=", pending),
);

const cancelRows = prepared<{ webhookId: string }>()((db, p) =>
  db
    .updateTable("outbox")
    .set({ state: "CANCELLED" })
    .where("webhook_id", "=", p.webhookId)
    .where("state", "=", pending),
);

const addressesOf = prepared<{ integratorId: string }>()((db, p) =>
  db
    .selectFrom("webhooks as w")
    .select(["w.id as webhook_id", "w.integrator_id"])
    .where("w.integrator_id", "=", p.integratorId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("outbox as o")
          .select("o.event_id")
          .whereRef("o.webhook_id", "=", "w.id")
          .where("o.state", "=", pending),
      ),
    ),
);
