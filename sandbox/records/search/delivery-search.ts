import type { SelectQueryBuilder } from "kysely";
import type { Database, Tables } from "../../../reference-server/database/schema.ts";
import { holdsText, type SearchResult, type Section, totals } from "./searching.ts";

interface DeliverySearch {
  readonly integratorId?: string;
  readonly status?: string;
  /** A part of the delivery's external_ref or id. */
  readonly text?: string;
  /** The time of the latest change on the integrator's clock; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

type Select<Row> = SelectQueryBuilder<Tables, "deliveries", Row>;

function narrowed<Row>(select: Select<Row>, search: DeliverySearch): Select<Row> {
  const { integratorId, text, from, to } = search;
  let narrow = select;
  if (integratorId !== undefined) narrow = narrow.where("integrator_id", "=", integratorId);
  if (from !== undefined) narrow = narrow.where("updated_at", ">=", from);
  if (to !== undefined) narrow = narrow.where("updated_at", "<", to);
  if (text !== undefined) {
    narrow = narrow.where((eb) =>
      eb.or([holdsText(eb.ref("external_ref"), text), holdsText(eb.ref("id"), text)]),
    );
  }
  return narrow;
}

export const deliverySearch = {
  /** Matching deliveries, latest change first. */
  async find(
    db: Database,
    search: DeliverySearch,
    { limit, offset }: Section,
  ): Promise<SearchResult<{ id: string }>> {
    const { status } = search;
    let page = narrowed(db.selectFrom("deliveries").select("id"), search)
      .orderBy("updated_at", "desc")
      .orderBy("change_number", "desc")
      .orderBy("id")
      .limit(limit)
      .offset(offset);
    if (status !== undefined) page = page.where("status", "=", status);
    const counts = narrowed(
      db.selectFrom("deliveries").select((eb) => ["status as state", eb.fn.countAll<number>().as("count")]),
      search,
    ).groupBy("status");
    const [items, rows] = await Promise.all([page.execute(), counts.execute()]);
    return { items, ...totals(rows, status) };
  },
};
