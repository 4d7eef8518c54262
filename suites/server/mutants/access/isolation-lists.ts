import type { AuthenticatedContext, Dependencies } from "../../../../reference-server/dependencies.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";
import { alterStoreRecords } from "../operators/stores.ts";
import { asOwnerOfStore } from "./isolation.ts";

async function allIntegratorIds({ deps }: AuthenticatedContext): Promise<readonly string[]> {
  const rows = await deps.database.selectFrom("integrators").select("id").execute();
  return rows.map(({ id }) => id);
}

type ListQuery = Parameters<Dependencies["operations"]["listDeliveries"]>[0]["query"];

/** Lists the deliveries of all integrators for matching queries without a store. */
const listAllIf = (applies: (query: ListQuery) => boolean) =>
  replaceOperation("listDeliveries", async (call, original) => {
    if (call.query.external_store_id !== undefined || !applies(call.query)) return original(call);
    const replies = await Promise.all(
      (await allIntegratorIds(call)).map((id) =>
        original({ ...call, integrator: { ...call.integrator, id } }),
      ),
    );
    const items = replies.flatMap((reply) => reply.body.items);
    return respondWith(200, { items, next_cursor: null, has_more: false });
  });

/** Lists the deliveries of all integrators if the filter is given. A store filter matches by name. */
const listAllWith = (filter: ElementOf<"filters-of-the-list">) =>
  replaceOperation("listDeliveries", async (call, original) => {
    if (call.query[filter] === undefined) return original(call);
    const replies = await Promise.all(
      (await allIntegratorIds(call)).map((id) =>
        original({ ...call, integrator: { ...call.integrator, id } }).catch(() => undefined),
      ),
    );
    const items = replies.flatMap((reply) => reply?.body.items ?? []);
    return respondWith(200, { items, next_cursor: null, has_more: false });
  });

export const isolationListMutants: Mutants = {
  "foreign-deliveries-by-reference": {
    fault: "a list filtered by external_ref contains all integrators' deliveries",
    breaks: [{ clause: "ISO-9", case: "external_ref" }],
    caughtBy: ["isolation.list-of-deliveries"],
    mutate: listAllIf(({ external_ref }) => external_ref !== undefined),
  },
  "foreign-deliveries-by-store": {
    fault: "a list filtered by another integrator's store contains its deliveries",
    breaks: breaking(
      [
        "external_ref and external_store_id",
        "created_from and created_to and external_store_id",
        "from and created_from and created_to and external_store_id",
      ],
      "ISO-9",
    ),
    caughtBy: ["isolation.list-of-deliveries"],
    mutate: replaceOperation("listDeliveries", async (call, original) => {
      const { external_store_id } = call.query;
      return original(external_store_id === undefined ? call : await asOwnerOfStore(call, external_store_id));
    }),
  },
  "foreign-deliveries-by-time": {
    fault: "a list filtered by time contains all integrators' deliveries",
    breaks: [
      { clause: "ISO-9", case: "created_from and created_to" },
      { clause: "ISO-9", case: "from and created_from and created_to" },
    ],
    caughtBy: ["isolation.list-of-deliveries"],
    mutate: listAllIf(({ created_from }) => created_from !== undefined),
  },
  ...forEachElement(
    elementsOf("filters-of-the-list"),
    (filter) => `foreign-deliveries-by-${filter}-alone`,
    (filter) => ({
      fault: `a list filtered by only ${filter} contains all integrators' deliveries`,
      breaks: breaking(
        filter === "external_ref" ? [filter, "external_ref and external_store_id"] : filter,
        "ISO-9",
      ),
      caughtBy: ["isolation.list-of-deliveries"],
      mutate: listAllWith(filter),
    }),
  ),
  "foreign-deliveries-by-status": {
    fault: "a list filtered by status contains all integrators' deliveries",
    breaks: breaking(
      ["external_ref", "created_from and created_to", "from and created_from and created_to"],
      "ISO-9",
    ),
    caughtBy: ["isolation.list-of-deliveries"],
    mutate: listAllIf(({ status }) => status !== undefined),
  },
  "foreign-deliveries-without-a-filter": {
    fault: "a list without any filter contains all integrators' deliveries",
    breaks: [{ clause: "ISO-9" }],
    caughtBy: ["isolation.list-of-deliveries"],
    mutate: listAllIf((query) =>
      Object.entries(query).every(([name, value]) => name === "limit" || value === undefined),
    ),
  },
  "cursor-returns-its-owners-list": {
    fault: "a cursor used by another integrator continues its first user's list",
    breaks: [{ clause: "ISO-9" }],
    caughtBy: ["isolation.foreign-cursor"],
    mutate: (deps) => {
      const owners = new Map<string, string>();
      return replaceOperation("listDeliveries", async (call, original) => {
        const owner = owners.get(call.query.since ?? "") ?? call.integrator.id;
        const reply = await original({ ...call, integrator: { ...call.integrator, id: owner } });
        const { next_cursor } = reply.body;
        if (next_cursor) owners.set(String(next_cursor), owner);
        return reply;
      })(deps);
    },
  },
  "foreign-stores-listed": {
    fault: "the list of stores contains all integrators' stores",
    breaks: [{ clause: "ISO-10" }],
    mutate: replaceOperation("listStores", async (call) => {
      const { deps } = call;
      const stores = await Promise.all(
        (await allIntegratorIds(call)).map((id) => deps.records.stores.list(deps.database, id)),
      );
      return respondWith(200, { items: stores.flat().map(deps.views.store) });
    }),
  },
  "foreign-areas-listed": {
    fault: "the list of delivery areas contains all integrators' areas",
    breaks: [{ clause: "ISO-11" }],
    mutate: replaceOperation("listDeliveryAreas", async (call) => {
      const { deps } = call;
      const stores = await Promise.all(
        (await allIntegratorIds(call)).map((id) => deps.records.stores.list(deps.database, id)),
      );
      return respondWith(200, { items: stores.flat().map(deps.views.area) });
    }),
  },
  "stores-of-the-same-id-listed": {
    fault: "the list of stores contains other integrators' stores with the same external_store_id",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: alterStoreRecords(({ list }) => ({
      async list(db, integratorId) {
        const own = (await list(db, integratorId)).map(({ external_store_id }) => external_store_id);
        const integrators = await db.selectFrom("integrators").select("id").execute();
        const stores = (await Promise.all(integrators.map(({ id }) => list(db, id)))).flat();
        return stores.filter(({ external_store_id }) => own.includes(external_store_id));
      },
    })),
  },
  "store-filter-finds-another-integrators-store": {
    fault:
      "external_store_id in the list selects the first store with this id, which may be another integrator's",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("listDeliveries", async (call, original) => {
      const { external_store_id } = call.query;
      const { status, body } = await original(call);
      if (external_store_id === undefined) return { status, body };
      const first = await call.deps.database
        .selectFrom("stores")
        .select("integrator_id")
        .where("external_store_id", "=", external_store_id)
        .orderBy("created_at")
        .executeTakeFirst();
      const isOwn = first?.integrator_id === call.integrator.id;
      return { status, body: isOwn ? body : { ...body, items: [] } };
    }),
  },
};
