import type { Database } from "../database/schema.ts";
import type { OutboxKey } from "./outbox.ts";

/** The outbox for who has one event follow the other: none is due before its turn. */
export const outboxTurns = {
  /** Has it sent from `dueAt` on already, where it hasn't been tried yet. */
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

  /** Whether its first attempt is to come or under way. */
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
