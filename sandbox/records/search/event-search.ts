import type { Database } from "../../../reference-server/database/schema.ts";
import { holdsText, type SearchResult, type Section, totals } from "./searching.ts";

/** An event for an endpoint, with its state. Times are on the integrator's clock. */
export interface SentEvent {
  event_id: string;
  webhook_id: string;
  type: string;
  version: number | null;
  delivery_id: string | null;
  external_ref: string | null;
  occurred_at: number;
  state: string;
  failures: number;
  due_at: number;
  outcome: string | null;
}

interface EventSearch {
  readonly webhookId?: string;
  readonly eventId?: string;
  readonly deliveryId?: string;
  readonly type?: string;
  readonly state?: string;
  /** A part of the delivery's external_ref, or of an id. */
  readonly text?: string;
  /** The time of the event; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** The number of events at an endpoint by state. */
export interface EventCount {
  webhook_id: string;
  state: string;
  count: number;
  /** The earliest due time. */
  due_at: number;
}

export const eventSearch = {
  /** Sent and pending events of an integrator's endpoints, latest first. */
  async find(
    db: Database,
    integratorId: string,
    search: EventSearch,
    { limit, offset }: Section,
  ): Promise<SearchResult<SentEvent>> {
    let page = narrowed(joined(db), integratorId, search)
      .select(["o.event_id", "o.webhook_id", "o.state", "o.failures", "o.due_at", "o.outcome"])
      .select(["d.external_ref", "e.type", "e.version", "e.delivery_id", "e.occurred_at"])
      .orderBy("e.occurred_at", "desc")
      .orderBy("e.version", "desc")
      .orderBy("e.type")
      .orderBy("o.webhook_id")
      .orderBy("o.event_id")
      .limit(limit)
      .offset(offset);
    if (search.state !== undefined) page = page.where("o.state", "=", search.state);
    const counts = narrowed(joined(db), integratorId, search)
      .select((eb) => ["o.state", eb.fn.countAll<number>().as("count")])
      .groupBy("o.state");
    const [items, rows] = await Promise.all([page.execute(), counts.execute()]);
    return { items, ...totals(rows, search.state) };
  },

  /** Counts of the events at an integrator's endpoints. */
  async counts(db: Database, integratorId: string): Promise<EventCount[]> {
    const rows = await db
      .selectFrom("outbox as o")
      .innerJoin("webhooks as w", "w.id", "o.webhook_id")
      .select((eb) => ["o.webhook_id", "o.state", eb.fn.countAll<number>().as("count")])
      .select((eb) => eb.fn.min("o.due_at").as("due_at"))
      .where("w.integrator_id", "=", integratorId)
      .where("w.status", "!=", "DELETED")
      .groupBy(["o.webhook_id", "o.state"])
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count), due_at: Number(row.due_at) }));
  },

  /** The result of the latest failed attempt at an endpoint with a pending retry. */
  async lastFailure(db: Database, webhookId: string): Promise<string | null> {
    const row = await db
      .selectFrom("outbox")
      .select("outcome")
      .where("webhook_id", "=", webhookId)
      .where("state", "=", "PENDING")
      .where("failures", ">", 0)
      .orderBy("due_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row?.outcome ?? null;
  },
};

const joined = (db: Database) =>
  db
    .selectFrom("outbox as o")
    .innerJoin("events as e", "e.id", "o.event_id")
    .leftJoin("deliveries as d", "d.id", "e.delivery_id");

function narrowed(
  select: ReturnType<typeof joined>,
  integratorId: string,
  search: EventSearch,
): ReturnType<typeof joined> {
  const { webhookId, eventId, deliveryId, type, text, from, to } = search;
  let narrow = select.where("e.integrator_id", "=", integratorId);
  if (webhookId !== undefined) narrow = narrow.where("o.webhook_id", "=", webhookId);
  if (eventId !== undefined) narrow = narrow.where("o.event_id", "=", eventId);
  if (deliveryId !== undefined) narrow = narrow.where("e.delivery_id", "=", deliveryId);
  if (type !== undefined) narrow = narrow.where("e.type", "=", type);
  if (from !== undefined) narrow = narrow.where("e.occurred_at", ">=", from);
  if (to !== undefined) narrow = narrow.where("e.occurred_at", "<", to);
  if (text !== undefined) {
    narrow = narrow.where((eb) =>
      eb.or([
        holdsText(eb.ref("d.external_ref"), text),
        holdsText(eb.ref("e.id"), text),
        holdsText(eb.ref("e.delivery_id"), text),
      ]),
    );
  }
  return narrow;
}
