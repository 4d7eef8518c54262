import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { alterStoreRecords } from "../operators/stores.ts";

const readStoreBy = (change: (external_store_id: string) => string) =>
  replaceOperation("getStore", (call, original) =>
    original({ ...call, path: { external_store_id: change(call.path.external_store_id) } }),
  );

type StoreRow = Awaited<ReturnType<Dependencies["records"]["stores"]["list"]>>[number];

const listOneStorePer = (keyOf: (store: StoreRow) => string) =>
  alterStoreRecords((stores) => ({
    list: async (...given) => {
      const rows = await stores.list(...given);
      return [...new Map(rows.map((store) => [keyOf(store), store])).values()];
    },
  }));

export const storesReadingMutants: Mutants = {
  "store-list-omits-the-newest": {
    fault: "the list of stores lacks the newest one",
    breaks: [{ clause: "REG-24" }],
    caughtBy: ["stores.first-registration"],
    mutate: alterStoreRecords((stores) => ({
      list: async (db, integratorId) => (await stores.list(db, integratorId)).slice(0, -1),
    })),
  },
  "store-list-has-one-store-per-company": {
    fault: "the list of stores contains only one store of each courier company",
    breaks: breaking("a store linked earlier", "REG-24"),
    caughtBy: ["stores.all-listed"],
    mutate: listOneStorePer(({ company }) => company.id),
  },
  "store-list-has-one-store-per-name": {
    fault: "the list of stores contains only one of the stores with the same name",
    breaks: breaking("a store linked earlier", "REG-24"),
    caughtBy: ["stores.all-listed"],
    mutate: listOneStorePer(({ name }) => name),
  },
  "listed-store-identifier-is-cut": {
    fault: "a long external_store_id is cut in the list of stores",
    breaks: [{ clause: "STORE-4" }],
    mutate: alterStoreRecords((stores) => ({
      list: async (...given) =>
        (await stores.list(...given)).map((store) => ({
          ...store,
          external_store_id: store.external_store_id.slice(0, 20),
        })),
    })),
  },
  "store-read-by-its-uuid": {
    fault: "a store is read by its id instead of its external_store_id",
    breaks: [{ clause: "REG-25" }],
    caughtBy: ["stores.reading"],
    mutate: replaceOperation("getStore", async (call) => {
      const { deps, integrator, path } = call;
      const stores = await deps.records.stores.list(deps.database, integrator.id);
      const store = stores.find(({ id }) => id === path.external_store_id);
      if (store === undefined) throw new DomainError("BULUNAMADI");
      return respondWith(200, deps.views.store(store));
    }),
  },
  "unknown-store-is-read-as-another": {
    fault: "reading an unknown store returns the integrator's first store",
    breaks: [{ clause: "REG-26" }],
    mutate: replaceOperation("getStore", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const { deps, integrator } = call;
        const [store] = await deps.records.stores.list(deps.database, integrator.id);
        if (store === undefined) throw refusal;
        return respondWith(200, deps.views.store(store));
      }),
    ),
  },
  "unknown-store-is-magaza-yok": {
    fault: "reading an unknown store returns MAGAZA_YOK",
    breaks: [{ clause: "REG-26" }],
    mutate: replaceOperation("getStore", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async () => {
        throw new DomainError("MAGAZA_YOK");
      }),
    ),
  },
  "store-path-undecoded": {
    fault: "an external_store_id in a path isn't percent-decoded",
    breaks: [{ clause: "REG-28" }],
    mutate: readStoreBy((external_store_id) => encodeURIComponent(external_store_id)),
  },
  "store-path-plus-is-a-space": {
    fault: "a plus sign in a path's external_store_id counts as a space",
    breaks: [{ clause: "REG-28", case: '"+2"' }],
    mutate: readStoreBy((external_store_id) => external_store_id.replaceAll("+", " ")),
  },
  "store-path-decoded-as-latin-1": {
    fault: "an external_store_id in a path is decoded as Latin-1 instead of UTF-8",
    breaks: [{ clause: "REG-28", case: '"ş"' }],
    mutate: readStoreBy((external_store_id) => Buffer.from(external_store_id).toString("latin1")),
  },
  "store-path-ends-at-a-slash": {
    fault: "an external_store_id in a path ends at an encoded slash",
    breaks: [{ clause: "REG-29" }],
    mutate: readStoreBy((external_store_id) => external_store_id.replace(/\/.*/, "")),
  },
  "store-path-decoded-twice": {
    fault: "an external_store_id in a path is decoded twice",
    breaks: [{ clause: "REG-29" }],
    mutate: readStoreBy((external_store_id) => decodeURIComponent(external_store_id)),
  },
};
