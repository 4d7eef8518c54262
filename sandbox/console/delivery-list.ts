import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant } from "../../reference-server/domain/instants.ts";
import type { Delivery } from "../../reference-server/domain/model.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import { deliverySearch } from "../records/search/delivery-search.ts";
import { sectionOf, spanOf } from "./list-filters.ts";
import type { DeliveryFilter, DeliverySummary, Page } from "./types.ts";

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
  const found = await deliverySearch.find(deps.database, search, sectionOf(filter));
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
