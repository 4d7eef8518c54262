/** Reads deliveries: one by id, or pages in the order of change (specification, GET /v1/deliveries). */

import { parseInstant } from "../domain/instants.ts";
import type { ListPosition } from "../domain/paging/cursor.ts";
import { fitting } from "../domain/paging/paging.ts";
import { DomainError } from "../errors.ts";
import { keptSize } from "../records/deliveries.ts";
import type { Call, PrivateOperation } from "./operation.ts";

export const getDelivery: PrivateOperation<"getDelivery"> = async ({ parts, integrator, path }) => {
  const delivery = await parts.records.deliveries.find(parts.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: parts.views.delivery(parts, delivery) };
};

/** An empty page returns the cursor of the request, so that the next poll misses nothing. */
export const listDeliveries: PrivateOperation<"listDeliveries"> = async (call) => {
  const { parts, integrator, query } = call;
  const limit = query.limit ?? parts.limits.page.default;
  const after = query.since === undefined ? undefined : placeOf(call, query.since);
  const store_id =
    query.external_store_id === undefined ? undefined : await storeId(call, query.external_store_id);
  // The integrator has no deliveries for another integrator's store.
  const rows =
    store_id === null
      ? []
      : await parts.records.deliveries.page(parts.database, integrator.id, {
          after,
          store_id,
          statuses: query.status?.split(",").map((status) => status.trim()),
          changed_after: instantOf(query.from),
          created_from: instantOf(query.created_from),
          created_to: instantOf(query.created_to),
          external_ref: query.external_ref,
          rows: parts.paging.rowsToRead(limit),
        });
  const page = parts.paging.cut(rows, limit);
  const items = fitting(page.items, parts.limits.page.bytes, keptSize);
  const more = page.more || items.length < page.items.length;
  const last = items.at(-1);
  const next = last === undefined ? (query.since ?? null) : parts.cursor.encode(last);
  return { status: 200, body: parts.views.page(parts, items, next, more) };
};

function placeOf({ parts }: Call<"listDeliveries">, since: string): ListPosition {
  const place = parts.cursor.decode(since);
  if (place === undefined) throw new DomainError("IMLEC_GECERSIZ");
  return place;
}

async function storeId(
  { parts, integrator }: Call<"listDeliveries">,
  externalStoreId: string,
): Promise<string | null> {
  const store = await parts.records.stores.find(parts.database, integrator.id, externalStoreId);
  return store?.id ?? null;
}

function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(text);
}
