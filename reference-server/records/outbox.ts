import { sql } from "kysely";
import { dialectOf } from "../database/dialect.ts";
import { columns, prepared } from "../database/prepared.ts";
import type { Database, OutboxTable, Queryable, Tx } from "../database/schema.ts";
import type { ClockSetting } from "../domain/clock.ts";

/** The key of a row: an event and an endpoint. */
export interface OutboxKey {
  event_id: string;
  webhook_id: string;
}

/**
 * A delivery attempt. Its instance and number of earlier failures distinguish it from the event's other
 * attempts.
 */
export interface Attempt extends OutboxKey {
  integrator_id: string;
  failures: number;
  due_at: number;
  leased_by: string | null;
}

/** An attempt in progress on another instance. */
export interface RemoteAttempt extends Attempt {
  /** On the integrator's clock. */
  started_at: number;
  /** The end of the lease in real time. The lease began with the attempt. */
  leased_until: number;
}

/** The data of an attempt, read when it starts. */
export interface Dispatch extends Attempt, ClockSetting {
  type: string;
  version: number | null;
  occurred_at: number;
  body: string;
  url: string;
  origin: string;
  /** Encrypted, as stored. */
  secret: string;
  /** Real time of the last use of trust in the origin; null for an untrusted origin. */
  trust_used_at: number | null;
  ca_pem: string | null;
}

/** An endpoint of an integrator. */
export interface Endpoint {
  webhook_id: string;
  integrator_id: string;
}

export interface Claim {
  rows: number;
  /** The integrator's time. */
  now: number;
  /** Real time. */
  real: number;
  leasedUntil: number;
  instance: string;
  /** True if this instance advances the integrator's clock. Only that instance may claim its events then. */
  asMover: boolean;
}

const pending = sql.lit("PENDING");

export const outboxRecords = {
  /** Queues the event for the endpoint from `dueAt` on. */
  async insert(tx: Tx, { event_id, webhook_id }: OutboxKey, dueAt: number): Promise<void> {
    await insertRow(tx, { event_id, webhook_id, dueAt });
  },

  /** Claims up to `rows` due events of an endpoint for one instance, and returns them. */
  async claim(db: Database, { webhook_id, integrator_id }: Endpoint, claim: Claim): Promise<string[]> {
    const mover = claim.asMover ? claim.instance : "";
    const claimed = await claimRows(db, { webhook_id, integrator_id, ...claim, mover });
    return claimed.rows.map(({ event_id }) => event_id);
  },

  /** The data to send these events to an endpoint, without cancelled events. */
  async dispatches(
    db: Database,
    webhookId: string,
    eventIds: readonly string[],
    instance: string,
  ): Promise<Dispatch[]> {
    return dispatchesIn(db)
      .where("o.webhook_id", "=", webhookId)
      .where("o.event_id", "in", [...eventIds])
      .where("o.leased_by", "=", instance)
      .where("o.state", "=", pending)
      .orderBy("e.occurred_at")
      .orderBy("e.version")
      .orderBy("e.type")
      .execute();
  },

  /** An event for an endpoint, leased or not. */
  async dispatch(db: Database, { event_id, webhook_id }: OutboxKey): Promise<Dispatch> {
    return dispatchesIn(db)
      .where("o.webhook_id", "=", webhook_id)
      .where("o.event_id", "=", event_id)
      .executeTakeFirstOrThrow();
  },

  /** Due time of the endpoint's next unleased event. */
  async nextDue(db: Database, webhookId: string, real: number): Promise<number | undefined> {
    return (await nextOfWebhook(db, { webhookId, real })).rows[0]?.due_at;
  },

  /** Due time of the next unleased event of all the integrator's endpoints. */
  async nextDueOf(db: Database, integratorId: string, real: number): Promise<number | undefined> {
    return (await nextOfIntegrator(db, { integratorId, real })).rows[0]?.due_at ?? undefined;
  },

  /** The integrator's attempts in progress on other instances; `real` is real time. */
  async inFlightElsewhere(
    db: Database,
    integratorId: string,
    instance: string,
    real: number,
  ): Promise<RemoteAttempt[]> {
    return (await inFlightElsewhere(db, { integratorId, instance, real })).rows;
  },

  /**
   * Records an attempt's outcome. Returns false, without a change, if the event was cancelled meanwhile, or if another
   * instance recorded the attempt's timeout or claimed the event.
   */
  async settle(
    db: Queryable,
    attempt: Attempt,
    to: Pick<OutboxTable, "state" | "failures" | "due_at" | "outcome">,
  ): Promise<boolean> {
    const { event_id, webhook_id, leased_by, failures: before } = attempt;
    return (await settleRow(db, { event_id, webhook_id, leased_by, before, ...to })).numAffectedRows === 1n;
  },

  /** Gives up the claim of an event that wasn't sent. */
  async release(db: Database, { event_id, webhook_id, leased_by, failures: before }: Attempt): Promise<void> {
    await releaseRow(db, { event_id, webhook_id, leased_by, before });
  },

  /** The instances that hold leases, including dead ones. */
  async leaseholders(db: Database): Promise<string[]> {
    return (await leaseholders(db, {})).rows.map(({ leased_by }) => leased_by);
  },

  /** Releases all leases of a dead instance. */
  async releaseAll(db: Database, instance: string): Promise<void> {
    await db
      .updateTable("outbox")
      .set(unleased)
      .where("leased_by", "=", instance)
      .where("state", "=", pending)
      .execute();
  },

  /** Cancels an endpoint's pending events. */
  async cancel(tx: Tx, webhookId: string): Promise<void> {
    await cancelRows(tx, { webhookId });
  },

  /** Every endpoint with unleased pending events. */
  async pendingEndpoints(db: Database, real: number): Promise<Endpoint[]> {
    return db
      .selectFrom("outbox as o")
      .innerJoin("webhooks as w", "w.id", "o.webhook_id")
      .select(["w.id as webhook_id", "w.integrator_id"])
      .distinct()
      .where("o.state", "=", pending)
      .where("o.leased_until", "<=", real)
      .execute();
  },

  /** Every endpoint with unleased events due at the real time `real`, if the integrator's clock runs. */
  async overdueEndpoints(db: Database, real: number): Promise<Endpoint[]> {
    return (await overdue(db, { real })).rows;
  },

  /** The integrator's endpoints with pending events. */
  async endpointsOf(db: Database, integratorId: string): Promise<Endpoint[]> {
    return (await pendingEndpointsOf(db, { integratorId })).rows;
  },
};

const dispatchesIn = (db: Database) =>
  db
    .selectFrom("outbox as o")
    .innerJoin("events as e", "e.id", "o.event_id")
    .innerJoin("webhooks as w", "w.id", "o.webhook_id")
    .innerJoin("integrators as i", "i.id", "w.integrator_id")
    .leftJoin("trusted_receivers as t", (join) =>
      join.onRef("t.origin", "=", "w.origin").on("i.trusts_receivers", "=", 1),
    )
    .select(["o.event_id", "o.webhook_id", "o.failures", "o.due_at", "o.leased_by"])
    .select(["e.integrator_id", "e.type", "e.version", "e.occurred_at", "e.body"])
    .select(["w.url", "w.origin", "w.secret", "t.used_at as trust_used_at", "t.ca_pem"])
    .select(["i.clock_offset_ms", "i.clock_frozen_at"]);

/** The columns of an unleased row. */
export const unleased = { leased_until: 0, leased_by: null, started_at: null } as const;

const insertRow = prepared<OutboxKey & { dueAt: number }>()((db, p) =>
  db.insertInto("outbox").values({
    ...columns(p, "event_id", "webhook_id"),
    ...unleased,
    state: pending,
    failures: sql.lit(0),
    due_at: p.dueAt,
    outcome: null,
  }),
);

const claimRows = prepared<Endpoint & Omit<Claim, "asMover"> & { mover: string }>()((db, p) =>
  db
    // A shared lock: other claims may hold it too, and freezing the clock waits.
    .with("clock", (cte) =>
      dialectOf(db).sharing(
        cte
          .selectFrom("integrators")
          .select("id")
          .where("id", "=", p.integrator_id)
          .where((eb) => eb.or([eb("clock_moved_by", "is", null), eb("clock_moved_by", "=", p.mover)])),
      ),
    )
    .with("due", (cte) =>
      dialectOf(db).skippingTaken(
        cte
          .selectFrom("outbox")
          .select("event_id")
          .where("webhook_id", "=", p.webhook_id)
          .where("state", "=", pending)
          .where("due_at", "<=", p.now)
          .where("leased_until", "<=", p.real)
          .where(({ exists, selectFrom }) => exists(selectFrom("clock").select("clock.id")))
          .orderBy("due_at")
          .limit(p.rows),
        "outbox",
      ),
    )
    .updateTable("outbox")
    .set({ leased_until: p.leasedUntil, leased_by: p.instance, started_at: p.now })
    .where("webhook_id", "=", p.webhook_id)
    .where("event_id", "in", (eb) => eb.selectFrom("due").select("due.event_id"))
    .returning("event_id"),
);

const inFlightElsewhere = prepared<{ integratorId: string; instance: string; real: number }>()((db, p) =>
  db
    .selectFrom("webhooks as w")
    .innerJoin("outbox as o", "o.webhook_id", "w.id")
    .select(["o.event_id", "o.webhook_id", "w.integrator_id", "o.failures", "o.due_at"])
    .select(["o.leased_by", "o.started_at", "o.leased_until"])
    .where("w.integrator_id", "=", p.integratorId)
    .where("o.state", "=", pending)
    .where("o.leased_until", ">", p.real)
    .where("o.leased_by", "!=", p.instance)
    .where("o.started_at", "is not", null)
    .$narrowType<{ started_at: number }>(),
);

const leaseholders = prepared<Record<never, never>>()((db) =>
  db
    .selectFrom("outbox")
    .select("leased_by")
    .distinct()
    .where("leased_by", "is not", null)
    .$narrowType<{ leased_by: string }>(),
);

const overdue = prepared<{ real: number }>()((db, p) =>
  db
    .selectFrom("webhooks as w")
    .innerJoin("integrators as i", "i.id", "w.integrator_id")
    .select(["w.id as webhook_id", "w.integrator_id"])
    .where("i.clock_moved_by", "is", null)
    .where(({ eb, exists, selectFrom }) =>
      exists(
        selectFrom("outbox as o")
          .select("o.event_id")
          .whereRef("o.webhook_id", "=", "w.id")
          .where("o.state", "=", pending)
          .where("o.due_at", "<=", eb("i.clock_offset_ms", "+", p.real))
          .where("o.leased_until", "<=", p.real),
      ),
    ),
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

/** The row, as long as this attempt is the event's latest. */
interface LeasedAttempt extends OutboxKey {
  leased_by: string | null;
  before: number;
}

const settleRow = prepared<LeasedAttempt & Pick<OutboxTable, "state" | "failures" | "due_at" | "outcome">>()(
  (db, p) =>
    db
      .updateTable("outbox")
      .set({ ...columns(p, "state", "failures", "due_at", "outcome"), ...unleased })
      .where("event_id", "=", p.event_id)
      .where("webhook_id", "=", p.webhook_id)
      .where("leased_by", "=", p.leased_by)
      .where("failures", "=", p.before)
      .where("state", "=", pending),
);

const releaseRow = prepared<LeasedAttempt>()((db, p) =>
  db
    .updateTable("outbox")
    .set(unleased)
    .where("event_id", "=", p.event_id)
    .where("webhook_id", "=", p.webhook_id)
    .where("leased_by", "=", p.leased_by)
    .where("failures", "=", p.before)
    .where("state", "=", pending),
);

const cancelRows = prepared<{ webhookId: string }>()((db, p) =>
  db
    .updateTable("outbox")
    .set({ ...unleased, state: sql.lit("CANCELLED") })
    .where("webhook_id", "=", p.webhookId)
    .where("state", "=", pending),
);

const pendingEndpointsOf = prepared<{ integratorId: string }>()((db, p) =>
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
