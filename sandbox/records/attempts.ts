import type { AttemptTable, Database, Tx } from "../../reference-server/database/schema.ts";
import type { ClockSetting } from "../../reference-server/domain/clock.ts";
import { unleased } from "../../reference-server/records/outbox.ts";

type NewAttempt = Omit<AttemptTable, "ordinal">;

export const attemptRecords = {
  /** Stores the next attempt of an event at an endpoint. */
  async insert(db: Database, attempt: NewAttempt): Promise<void> {
    const { event_id, webhook_id } = attempt;
    await db
      .insertInto("attempts")
      .values((eb) => ({
        ...attempt,
        ordinal: eb
          .selectFrom("attempts as a")
          .select((of) => of(of.fn.countAll<number>(), "+", 1).as("next"))
          .where("a.event_id", "=", event_id)
          .where("a.webhook_id", "=", webhook_id),
      }))
      .execute();
  },

  /** All attempts of an event at an endpoint, in order. */
  async list(db: Database, eventId: string, webhookId: string): Promise<AttemptTable[]> {
    return db
      .selectFrom("attempts")
      .selectAll()
      .where("event_id", "=", eventId)
      .where("webhook_id", "=", webhookId)
      .orderBy("ordinal")
      .execute();
  },

  /** The subscriptions at an origin that an event is sent to, each with its clock. */
  async sendersAt(
    db: Database,
    eventId: string,
    origin: string,
  ): Promise<({ id: string; secret: string } & ClockSetting)[]> {
    return db
      .selectFrom("outbox as o")
      .innerJoin("webhooks as w", "w.id", "o.webhook_id")
      .innerJoin("integrators as i", "i.id", "w.integrator_id")
      .select(["w.id", "w.secret", "i.clock_offset_ms", "i.clock_frozen_at"])
      .where("o.event_id", "=", eventId)
      .where("w.origin", "=", origin)
      .execute();
  },

  /** The body of an integrator's event; undefined for an event of another integrator. */
  async eventBody(db: Database, integratorId: string, eventId: string): Promise<string | undefined> {
    const row = await db
      .selectFrom("events")
      .select("body")
      .where("id", "=", eventId)
      .where("integrator_id", "=", integratorId)
      .executeTakeFirst();
    return row?.body;
  },

  /** The integrator's events of these types since a time, in order. */
  async eventsSince(
    tx: Tx,
    integratorId: string,
    types: readonly string[],
    since: number,
  ): Promise<{ id: string }[]> {
    if (types.length === 0) return [];
    return tx
      .selectFrom("events")
      .select("id")
      .where("integrator_id", "=", integratorId)
      .where("type", "in", [...types])
      .where("occurred_at", ">=", since)
      .orderBy("occurred_at")
      .orderBy("version")
      .execute();
  },

  /** Queues an event for an endpoint like a new event. */
  async sendAgain(tx: Tx, eventId: string, webhookId: string, dueAt: number): Promise<void> {
    const anew = { state: "PENDING", failures: 0, due_at: dueAt, outcome: null };
    await tx
      .insertInto("outbox")
      .values({ event_id: eventId, webhook_id: webhookId, ...anew, ...unleased })
      .onConflict((oc) => oc.columns(["event_id", "webhook_id"]).doUpdateSet({ ...anew, ...unleased }))
      .execute();
  },
};
