/** Writes many events directly into the database. */
import { randomUUID } from "node:crypto";
import type { Database } from "../../../reference-server/database/schema.ts";

const batch = 1000;

/** Repeats an event of a delivery until its endpoint has `count` events. */
export async function fillEvents(database: Database, deliveryId: string, count: number): Promise<void> {
  const event = await database
    .selectFrom("events")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirstOrThrow();
  const sent = await database
    .selectFrom("outbox")
    .selectAll()
    .where("event_id", "=", event.id)
    .executeTakeFirstOrThrow();
  const { there } = await database
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("there"))
    .where("webhook_id", "=", sent.webhook_id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: count - there }, (_, index) => ({
    ...event,
    id: randomUUID(),
    occurred_at: event.occurred_at - 1000 * (index + 1),
  }));
  for (let from = 0; from < copies.length; from += batch) {
    const events = copies.slice(from, from + batch);
    await database.insertInto("events").values(events).execute();
    await database
      .insertInto("outbox")
      .values(events.map(({ id }) => ({ ...sent, event_id: id })))
      .execute();
  }
}
