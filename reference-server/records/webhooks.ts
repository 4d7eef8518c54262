import { columns, prepared } from "../database/prepared.ts";
import type { Queryable, Tx, WebhookTable } from "../database/schema.ts";

type WebhookStatus = "ACTIVE" | "CLOSED" | "DELETED";

/** A subscription, with its encrypted secret. */
export interface Webhook extends Omit<WebhookTable, "event_types" | "status"> {
  event_types: string[];
  status: WebhookStatus;
}

/** Only this file writes rows, so their JSON and status are valid. */
function fromRow({ event_types, status, ...row }: WebhookTable): Webhook {
  const kinds: string[] = JSON.parse(event_types);
  return { ...row, event_types: kinds, status: statusOf(status) };
}

function statusOf(text: string): WebhookStatus {
  if (text === "ACTIVE" || text === "CLOSED" || text === "DELETED") return text;
  throw new Error(`unknown subscription status ${text}`);
}

export const webhookRecords = {
  /** Writes a new or a reopened subscription. */
  async put(tx: Tx, webhook: Webhook): Promise<void> {
    await putRow(tx, { ...webhook, event_types: JSON.stringify(webhook.event_types) });
  },

  /** The integrator's subscriptions, oldest first; including closed and excluding deleted subscriptions. */
  async list(db: Queryable, integratorId: string): Promise<Webhook[]> {
    return (await listOf(db, { integratorId })).rows.map(fromRow);
  },

  /** The integrator's subscription, unless it was deleted. */
  async find(db: Queryable, integratorId: string, id: string): Promise<Webhook | undefined> {
    const row = (await findWebhook(db, { integratorId, id })).rows[0];
    return row && fromRow(row);
  },

  /** The integrator's active endpoints with their subscribed event types. */
  async active(tx: Tx, integratorId: string): Promise<{ id: string; event_types: string[] }[]> {
    const { rows } = await activeOf(tx, { integratorId });
    return rows.map(({ id, event_types }) => ({ id, event_types: JSON.parse(event_types) }));
  },

  async setSecret(tx: Tx, id: string, secret: string): Promise<void> {
    await tx.updateTable("webhooks").set({ secret }).where("id", "=", id).execute();
  },

  async setStatus(tx: Tx, id: string, status: WebhookStatus): Promise<void> {
    await tx.updateTable("webhooks").set({ status }).where("id", "=", id).execute();
  },

  /** Records `at` as the start of consecutive failures, unless a start is recorded. Returns the recorded start. */
  async failed(tx: Tx, id: string, at: number): Promise<number> {
    await startFailing(tx, { id, at });
    return (await failingSince(tx, { id })).rows[0]?.failing_since ?? at;
  },

  /** Ends a series of failures. */
  async succeeded(db: Queryable, id: string): Promise<void> {
    await stopFailing(db, { id });
  },
};

const putRow = prepared<WebhookTable>()((db, p) => {
  const rest = {
    ...columns(p, "integrator_id", "url", "origin", "event_types", "description", "status", "secret"),
    ...columns(p, "failing_since", "created_at"),
  };
  return db
    .insertInto("webhooks")
    .values({ id: p.id, ...rest })
    .onConflict((oc) => oc.column("id").doUpdateSet(rest));
});

const listOf = prepared<{ integratorId: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("integrator_id", "=", p.integratorId)
    .where("status", "!=", "DELETED")
    .orderBy("created_at")
    .orderBy("id"),
);

const findWebhook = prepared<{ integratorId: string; id: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", p.id)
    .where("integrator_id", "=", p.integratorId)
    .where("status", "!=", "DELETED"),
);

const activeOf = prepared<{ integratorId: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .select(["id", "event_types"])
    .where("integrator_id", "=", p.integratorId)
    .where("status", "=", "ACTIVE"),
);

const startFailing = prepared<{ id: string; at: number }>()((db, p) =>
  db
    .updateTable("webhooks")
    .set({ failing_since: p.at })
    .where("id", "=", p.id)
    .where("failing_since", "is", null),
);

const failingSince = prepared<{ id: string }>()((db, p) =>
  db.selectFrom("webhooks").select("failing_since").where("id", "=", p.id),
);

const stopFailing = prepared<{ id: string }>()((db, p) =>
  db
    .updateTable("webhooks")
    .set({ failing_since: null })
    .where("id", "=", p.id)
    .where("failing_since", "is not", null),
);
