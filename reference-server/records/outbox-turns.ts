import type { Database } from "../database/schema.ts";
import type { OutboxKey } from "./outbox.ts";

/** Outbox queries for sending events one after another. */
export const outboxTurns = {
  /** Moves the first attempt of an event to `dueAt`, if it is planned for a later time. */
  async hasten(db: Database, { event_id, webhook_id }: OutboxKey, dueAt: number): Promise<void> {
    await db
      .updateTable("outbox")
      .set({ due_at: dueAt })
      .where("webhook_id", "=", webhook_id)
      .where("event_id", "=", event_id)
      .where("state", "=", "PENDING")
      .where("failures", "=", 0)
      .where("due_at", ">", dueAt)
      .execute();
  },

  /** True if the first attempt hasn't ended yet. */
  async isUntried(db: Database, { event_id, webhook_id }: OutboxKey): Promise<boolean> {
    const untried = await db
      .selectFrom("outbox")
      .select("event_id")
      .where("webhook_id", "=", webhook_id)
      .where("event_id", "=", event_id)
      .where("state", "=", "PENDING")
      .where("failures", "=", 0)
      .executeTakeFirst();
    return untried !== undefined;
  },
};
