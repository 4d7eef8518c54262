/** Reads deliveries: one by id, or pages in the order of change (specification, Deliveries). */

import { parseInstant } from "../domain/instants.ts";
import type { ListPosition } from "../domain/paging/cursor.ts";
import { fitting } from "../domain/paging/paging.ts";
import { DomainError } from "../errors.ts";
import { keptSize } from "../records/deliveries.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

export const getDelivery: AuthenticatedOperation<"getDelivery"> = async ({ deps, integrator, path }) => {
  const delivery = await deps.records.deliveries.find(deps.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: deps.views.delivery(deps, delivery) };
};

/** An empty page returns the request's cursor as next_cursor, so that the next poll misses nothing. */
export const listDeliveries: AuthenticatedOperation<"listDeliveries"> = async (call) => {
  const { deps, integrator, query } = call;
  const limit = query.limit ?? deps.limits.page.default;
  const after = query.since === undefined ? undefined : placeOf(call, query.since);
  const store_id =
    query.external_store_id === undefined ? undefined : await storeId(call, query.external_store_id);
  // The integrator has no deliveries for an unknown store.
  const rows =
    store_id === null
      ? []
      : await deps.records.deliveries.page(deps.database, integrator.id, {
          after,
          store_id,
          statuses: query.status?.split(",").map((status) => status.trim()),
          changed_after: instantOf(query.from),
          created_from: instantOf(query.created_from),
          created_to: instantOf(query.created_to),
          external_ref: query.external_ref,
          rows: deps.paging.rowsToRead(limit),
        });
  const page = deps.paging.cut(rows, limit);
  const items = fitting(page.items, deps.limits.page.bytes, keptSize);
  const more = page.more || items.length < page.items.length;
  const last = items.at(-1);
  const next = last === undefined ? (query.since ?? null) : deps.cursor.encode(last);
  return { status: 200, body: deps.views.page(deps, items, next, more) };
};

function placeOf({ deps }: Call<"listDeliveries">, since: string): ListPosition {
  const place = deps.cursor.decode(since);
  if (place === undefined) throw new DomainError("IMLEC_GECERSIZ");
  return place;
}

async function storeId(
  { deps, integrator }: Call<"listDeliveries">,
  externalStoreId: string,
): Promise<string | null> {
  const store = await deps.records.stores.find(deps.database, integrator.id, externalStoreId);
  return store?.id ?? null;
}

function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(text);
}
