import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { isoInstant } from "../../../core/clock.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";
import { alterStoreRecords } from "../operators/stores.ts";

type StoreRow = NonNullable<Awaited<ReturnType<Dependencies["records"]["stores"]["findById"]>>>;

/** A server that alters the data of a store's repeated registrations, from the n-th on. */
const alterRepeats = (nth: number, change: (after: StoreRow, before: StoreRow) => StoreRow): Mutate => {
  const repeats = new Map<string, number>();
  return alterStoreRecords((stores) => ({
    async update(tx, store) {
      const count = (repeats.get(store.id) ?? 0) + 1;
      repeats.set(store.id, count);
      const before = await stores.findById(tx, store.id);
      await stores.update(tx, before && count >= nth ? change(store, before) : store);
    },
  }));
};

/** A server whose list shows each store as its first registration with a reply of this status returned it. */
const listFirstReplies =
  (status?: 200): Mutate =>
  (deps) => {
    const firstViews = new Map<string, ReturnType<Dependencies["views"]["store"]>>();
    const withFirstViews = replaceOperation("registerStore", async (call, original) => {
      const reply = await original(call);
      const counts = status === undefined || reply.status === status;
      if (counts && !firstViews.has(reply.body.id)) firstViews.set(reply.body.id, reply.body);
      return reply;
    })(deps);
    return replaceOperation("listStores", async ({ deps: { records, database, views }, integrator }) => {
      const stores = await records.stores.list(database, integrator.id);
      return respondWith(200, {
        items: stores.map((store) => firstViews.get(store.id) ?? views.store(store)),
      });
    })(withFirstViews);
  };

export const storeRepeatMutants: Mutants = {
  "repeat-answers-201": {
    fault: "a repeated registration returns 201",
    breaks: [{ clause: "REG-2" }],
    mutate: replaceOperation("registerStore", async (call, original) =>
      respondWith(201, (await original(call)).body),
    ),
  },
  "repeat-needs-a-code": {
    fault: "a repeated registration without a code is refused",
    breaks: [{ clause: "REG-2" }, { clause: "REG-3" }],
    mutate: replaceOperation("registerStore", (call, original) => {
      if (!call.body.pairing_code) throw new DomainError("ESLEME_KODU_GEREKLI");
      return original(call);
    }),
  },
  "repeat-keeps-the-old-address": {
    fault: "a repeated registration returns the new address, but doesn't store it",
    breaks: [
      { clause: "REG-4", case: "when it is read" },
      { clause: "REG-4", case: "when it is listed" },
    ],
    caughtBy: ["stores.repeat"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        const before = await stores.findById(tx, store.id);
        await stores.update(tx, { ...store, address_text: before?.address_text ?? store.address_text });
      },
    })),
  },
  ...forEachElement(
    ["name", "phone", "address_text"],
    (field) => `second-repeat-keeps-the-old-${field}`,
    (field) => ({
      fault: `the second repeated registration and later ones don't update ${field}`,
      breaks: breaking(["the second", "the third"], "REG-4"),
      caughtBy: ["stores.repeat"],
      mutate: alterRepeats(2, (after, before) => ({ ...after, [field]: before[field] })),
    }),
  ),
  "second-repeat-is-not-listed": {
    fault: "the list of stores shows the data of the first repeated registration",
    breaks: breaking(["the second", "the third"], "REG-4"),
    caughtBy: ["stores.repeat"],
    mutate: listFirstReplies(200),
  },
  "third-repeat-is-ignored": {
    fault: "the third repeated registration and later ones return the new data, but don't store it",
    breaks: breaking("the third", "REG-4"),
    caughtBy: ["stores.repeat"],
    mutate: alterRepeats(3, (_, before) => before),
  },
  "repeat-is-not-listed": {
    fault: "the list of stores shows the data of the first registration",
    breaks: [{ clause: "REG-4", case: "when it is listed" }],
    caughtBy: ["stores.repeat"],
    mutate: listFirstReplies(),
  },
  "repeat-keeps-the-listed-location": {
    fault: "the list of stores shows the location of the first registration",
    breaks: [{ clause: "REG-4", case: "when it is listed" }],
    caughtBy: ["stores.repeat"],
    mutate: (deps) => {
      const first = new Map<string, Pick<StoreRow, "lat" | "lng">>();
      const remembering = alterStoreRecords((stores) => ({
        async insert(tx, store) {
          first.set(store.id, { lat: store.lat, lng: store.lng });
          await stores.insert(tx, store);
        },
      }))(deps);
      const listFirstLocations = alterStoreRecords((stores) => ({
        list: async (...given) =>
          (await stores.list(...given)).map((store) => ({ ...store, ...first.get(store.id) })),
      }));
      return replaceOperation("listStores", (call, original) =>
        original({ ...call, deps: listFirstLocations(call.deps) }),
      )(remembering);
    },
  },
  "repeat-updates-all-stores": {
    fault: "a repeated registration moves all of the integrator's stores",
    breaks: [{ clause: "REG-4", case: "after its move" }],
    caughtBy: ["stores.measured-after-a-move"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        await stores.update(tx, store);
        for (const other of await stores.list(tx, store.integrator_id))
          await stores.update(tx, { ...other, lat: store.lat, lng: store.lng });
      },
    })),
  },
  "repeat-renames-all-stores": {
    fault: "a repeated registration renames all of the integrator's stores",
    breaks: [{ clause: "REG-4", case: "after its move" }],
    caughtBy: ["stores.measured-after-a-move"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        await stores.update(tx, store);
        for (const other of await stores.list(tx, store.integrator_id))
          await stores.update(tx, { ...other, name: store.name });
      },
    })),
  },
  "repeat-updates-all-stores-of-the-same-id": {
    fault: "a repeated registration updates the stores of all integrators with the same external_store_id",
    breaks: [{ clause: "ISO-13", case: "the second integrator's store" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        await stores.update(tx, store);
        const rows = await tx
          .selectFrom("stores")
          .select("id")
          .where("external_store_id", "=", store.external_store_id)
          .execute();
        for (const { id } of rows) {
          const other = await stores.findById(tx, id);
          if (other) await stores.update(tx, { ...other, name: store.name });
        }
      },
    })),
  },
  ...forEachElement(
    ["quotes", "deliveries"],
    (records) => `store-stays-unlocated-for-${records}`,
    (records) => ({
      fault: `coordinates that a repeat adds to a store without any have no effect on ${records}`,
      breaks: [{ clause: "REG-4" }],
      caughtBy: ["stores.only-name-and-address"],
      mutate: (deps) => {
        const unlocated = new Set<string>();
        const remembering = alterStoreRecords((stores) => ({
          async insert(tx, store) {
            if (store.lat === null) unlocated.add(store.id);
            await stores.insert(tx, store);
          },
        }))(deps);
        const withoutLocation = alterStoreRecords((stores) => ({
          async find(...given) {
            const store = await stores.find(...given);
            return store && unlocated.has(store.id) ? { ...store, lat: null, lng: null } : store;
          },
        }));
        return records === "quotes"
          ? replaceOperation("createQuote", (call, original) =>
              original({ ...call, deps: withoutLocation(call.deps) }),
            )(remembering)
          : replaceOperation("createDelivery", (call, original) =>
              original({ ...call, deps: withoutLocation(call.deps) }),
            )(remembering);
      },
    }),
  ),
  "repeat-keeps-lng-with-the-same-lat": {
    fault: "a repeated registration with the same lat doesn't update lng",
    breaks: [
      { clause: "STORE-9", case: "after a second move, only to the east" },
      { clause: "REG-4", case: "after a second move, only to the east" },
    ],
    caughtBy: ["stores.measured-after-a-move"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        const before = await stores.findById(tx, store.id);
        await stores.update(tx, before?.lat === store.lat ? { ...store, lng: before.lng } : store);
      },
    })),
  },
  "repeat-hides-earlier-deliveries": {
    fault: "a store's deliveries from before a repeated registration can't be found",
    breaks: [{ clause: "LIST-20" }],
    caughtBy: ["stores.repeat"],
    mutate: replaceOperation("listDeliveries", async (call, original) => {
      const { deps, integrator, query } = call;
      const { external_ref, external_store_id } = query;
      const store =
        external_store_id &&
        (await deps.records.stores.find(deps.database, integrator.id, external_store_id));
      if (!store || !external_ref || store.updated_at === store.created_at) return original(call);
      return original({ ...call, query: { ...query, created_from: isoInstant(store.updated_at) } });
    }),
  },
  "repeat-creates-another-store": {
    fault: "a repeated registration returns another id",
    breaks: [{ clause: "REG-5", case: "in the response" }],
    mutate: (deps) =>
      replaceOperation("registerStore", async (call, original) => {
        const reply = await original(call);
        return reply.status === 201 ? reply : respondWith(200, { ...reply.body, id: deps.ids.uuid() });
      })(deps),
  },
  "repeat-joins-another-company": {
    fault: "a repeated registration without a code moves the store to a default courier company",
    breaks: breaking(["when it is read", "when it is listed"], "REG-5"),
    mutate: (deps) =>
      alterStoreRecords((stores) => ({
        async update(tx, store) {
          await stores.update(tx, store);
          const company = await deps.records.pairing.companyNamed(tx, "Varsayılan Kurye", deps.ids.uuid());
          await tx.updateTable("stores").set({ company_id: company.id }).where("id", "=", store.id).execute();
        },
      }))(deps),
  },
  "repeat-removes-the-prices": {
    fault: "a repeated registration removes the price table of the store's courier company",
    breaks: [{ clause: "DLV-38" }],
    caughtBy: ["service-area.fee-fixed-at-creation"],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        await stores.update(tx, store);
        const after = await stores.findById(tx, store.id);
        if (after) await stores.configure(tx, { ...after, settings: { ...after.settings, price: null } });
      },
    })),
  },
  "repeat-keeps-updated-at": {
    fault: "a repeated registration doesn't change updated_at",
    breaks: [{ clause: "STORE-14" }],
    mutate: alterRepeats(1, (after, before) => ({ ...after, updated_at: before.updated_at })),
  },
  "repeat-resets-created-at": {
    fault: "a repeated registration changes created_at",
    // Shortly after the registration, rounding may hide the fault in these cases, but not in a later read.
    breaks: [{ clause: "STORE-11" }, ...breaking(["when it is read", "when it is listed"], "STORE-11")],
    mutate: alterStoreRecords((stores) => ({
      async update(tx, store) {
        await stores.update(tx, store);
        await tx
          .updateTable("stores")
          .set({ created_at: store.updated_at })
          .where("id", "=", store.id)
          .execute();
      },
    })),
  },
};
