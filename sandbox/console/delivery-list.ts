import type { SelectQueryBuilder } from "kysely";
import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Database, Tables } from "../../reference-server/database/schema.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant } from "../../reference-server/domain/instants.ts";
import type { Delivery } from "../../reference-server/domain/model.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import { holdsText, type SearchResult, type Section, totals } from "../records/search/searching.ts";
import { sectionOf, spanOf } from "./list-filters.ts";
import type { DeliveryFilter, DeliverySummary, Page } from "./types.ts";

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

/** Matching deliveries, latest change first. */
async function findDeliveries(
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
}

/** A page of deliveries, latest first. */
export async function readDeliveries(
  deps: Dependencies,
  filter: DeliveryFilter,
): Promise<Page<DeliverySummary>> {
  const { deliveries } = deps.records;
  const integrator = filter.client_id ? await integratorOf(deps, filter.client_id) : undefined;
  const search = {
    ...(integrator && { integratorId: integrator.id }),
    ...(filter.status && { status: filter.status }),
    ...spanOf(filter),
  };
  const found = await findDeliveries(deps.database, search, sectionOf(filter));
  const names = new Map<string, ReturnType<typeof namesOf>>();
  const items = await Promise.all(
    found.items.map(async ({ id }) => {
      const delivery = await deliveries.findById(deps.database, id);
      if (delivery === undefined) return [];
      const known = names.get(delivery.store_id) ?? namesOf(deps, delivery);
      names.set(delivery.store_id, known);
      return [{ ...summaryOf(delivery), ...(await known) }];
    }),
  );
  return { items: items.flat(), total: found.total, by_state: found.byState };
}

function summaryOf(delivery: Delivery) {
  const { id, external_ref, status, version, customer, courier, notes, test, updated_at } = delivery;
  return {
    id,
    external_ref,
    status,
    version,
    customer: customer.name,
    courier: courier?.name ?? null,
    notes,
    test,
    updated_at: formatInstant(updated_at),
  };
}

async function namesOf(deps: Dependencies, { integrator_id, store_id }: Delivery) {
  const { integrators, stores } = deps.records;
  const integrator = await integrators.findById(deps.database, integrator_id);
  const name = (await sandboxRecords.find(deps.database, integrator_id))?.name ?? null;
  const store = await stores.findById(deps.database, store_id);
  return { client_id: integrator?.client_id ?? "", integrator: name, store: store?.name ?? "" };
}
