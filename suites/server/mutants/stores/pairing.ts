import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { OVERLAP_MS, onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { ignoreUseOfCodes, linkStoreUnchecked } from "../operators/stores.ts";

/** A server that links a store with a used pairing code for some integrators. */
const acceptUsedCodeFrom =
  (isAccepted: (usedBy: string, integratorId: string) => boolean): Mutate =>
  (deps) => {
    const users = new Map<string, string>();
    return replaceOperation("registerStore", async (call, original) => {
      const { pairing_code = "" } = call.body;
      const { id } = call.integrator;
      const usedBy = users.get(pairing_code);
      users.set(pairing_code, usedBy ?? id);
      return onRefusal("ESLEME_KODU_GECERSIZ", original(call), async (refusal) => {
        if (usedBy === undefined || !isAccepted(usedBy, id)) throw refusal;
        await linkStoreUnchecked(call);
        return original(call);
      });
    })(deps);
  };

export const pairingMutants: Mutants = {
  "used-code-works-for-its-integrator": {
    fault: "a used pairing code works again for the integrator that used it",
    breaks: [{ clause: "REG-8" }],
    caughtBy: ["stores.first-registration"],
    mutate: acceptUsedCodeFrom((usedBy, id) => usedBy === id),
  },
  "used-code-works-for-another-integrator": {
    fault: "a used pairing code works for another integrator",
    breaks: [{ clause: "REG-8" }],
    caughtBy: ["pairing.used-by-another"],
    mutate: acceptUsedCodeFrom((usedBy, id) => usedBy !== id),
  },
  "concurrent-registrations-share-a-pairing-code": {
    fault: "concurrent registrations with one pairing code link several stores",
    breaks: [{ clause: "REG-8" }],
    caughtBy: ["pairing.concurrent-registrations"],
    mutate: (deps) => {
      const pendingCodes = new Set<string>();
      const race = replaceOperation("registerStore", async (call, original) => {
        const { pairing_code = "" } = call.body;
        if (pendingCodes.has(pairing_code)) return original({ ...call, deps: ignoreUseOfCodes(call.deps) });
        pendingCodes.add(pairing_code);
        try {
          await pause(OVERLAP_MS);
          return await original(call);
        } finally {
          pendingCodes.delete(pairing_code);
        }
      });
      return race(deps);
    },
  },
  "pairing-code-never-expires": {
    fault: "a pairing code never expires",
    breaks: [{ clause: "REG-10" }],
    mutate: (deps) => ({
      ...deps,
      pairing: { refusal: (code, ageMs) => deps.pairing.refusal({ ...code, expires_in_ms: null }, ageMs) },
    }),
  },
  "pairing-code-expires-on-the-servers-clock": {
    fault: "pairing codes don't expire when the integrator's clock is advanced",
    breaks: [{ clause: "REG-10" }],
    mutate: (deps) => ({
      ...deps,
      pairing: { refusal: (code) => deps.pairing.refusal(code, deps.clock.now() - code.issued_at) },
    }),
  },
  "restaurant-taken-over": {
    fault: "a restaurant can be taken over by another integrator with a code for it",
    breaks: [{ clause: "REG-20" }],
    mutate: (deps) => ({
      ...deps,
      records: { ...deps.records, pairing: { ...deps.records.pairing, bindRestaurant: async () => true } },
    }),
  },
  "bound-elsewhere-reported-as-wrong-code": {
    fault: "a code for another integrator's restaurant returns the error of a wrong code",
    breaks: [{ clause: "REG-20" }],
    mutate: replaceOperation("registerStore", (call, original) =>
      onRefusal("BASKA_POS", original(call), async () => {
        throw new DomainError("ESLEME_KODU_GECERSIZ");
      }),
    ),
  },
  "bound-elsewhere-links-anyway": {
    fault: "a registration refused with BASKA_POS links the store",
    breaks: [{ clause: "REG-21" }],
    mutate: replaceOperation("registerStore", (call, original) =>
      onRefusal("BASKA_POS", original(call), async (refusal) => {
        await linkStoreUnchecked(call);
        throw refusal;
      }),
    ),
  },
  "bound-elsewhere-suspends-the-first": {
    fault: "a registration refused with BASKA_POS suspends the existing store",
    breaks: [{ clause: "REG-21" }],
    mutate: replaceOperation("registerStore", (call, original) =>
      onRefusal("BASKA_POS", original(call), async (refusal) => {
        const { deps, body } = call;
        const hash = deps.credentials.hash(body.pairing_code ?? "");
        await deps.transaction(async (tx) => {
          const code = await deps.records.pairing.findCode(tx, hash);
          await tx
            .updateTable("stores")
            .set({ status: "SUSPENDED" })
            .where("restaurant_id", "=", code?.restaurant_id ?? "")
            .execute();
        });
        throw refusal;
      }),
    ),
  },
  ...forEachElement(
    ["name", "phone", "address_text", "lat"] as const,
    (field) => `bound-elsewhere-overwrites-${field}`,
    (field) => ({
      fault: `a registration refused with BASKA_POS overwrites ${field} of the existing store`,
      breaks: [{ clause: "REG-21" }],
      mutate: replaceOperation("registerStore", (call, original) =>
        onRefusal("BASKA_POS", original(call), async (refusal) => {
          const { deps, body } = call;
          const { name, phone = null, address } = body;
          const sent = { name, phone, address_text: address.text, lat: address.lat ?? null };
          const hash = deps.credentials.hash(body.pairing_code ?? "");
          await deps.transaction(async (tx) => {
            const code = await deps.records.pairing.findCode(tx, hash);
            const { id = "" } =
              (await tx
                .selectFrom("stores")
                .select("id")
                .where("restaurant_id", "=", code?.restaurant_id ?? "")
                .executeTakeFirst()) ?? {};
            const linked = await deps.records.stores.findById(tx, id);
            if (linked) await deps.records.stores.update(tx, { ...linked, [field]: sent[field] });
          });
          throw refusal;
        }),
      ),
    }),
  ),
  "store-joins-the-first-company": {
    fault: "every store is bound to the same company, regardless of which one issued its code",
    breaks: [{ clause: "REG-22" }],
    mutate: (deps) => {
      const { pairing } = deps.records;
      const company = (tx: Parameters<typeof pairing.companyNamed>[0]) =>
        pairing.companyNamed(tx, "Örnek Kurye", deps.ids.uuid());
      return {
        ...deps,
        operations: {
          ...deps.operations,
          async registerStore(call) {
            const first = await deps.transaction(company);
            const records = { ...call.deps.records, pairing: { ...pairing, company: async () => first } };
            return deps.operations.registerStore({ ...call, deps: { ...call.deps, records } });
          },
        },
      };
    },
  },
  "listed-stores-have-the-first-company": {
    fault: "every store in the list of stores has the first store's courier company",
    breaks: [{ clause: "REG-22" }],
    mutate: replaceOperation("listStores", async ({ deps: { records, database, views }, integrator }) => {
      const stores = await records.stores.list(database, integrator.id);
      const items = stores.map((store) =>
        views.store({ ...store, company: stores[0]?.company ?? store.company }),
      );
      return respondWith(200, { items });
    }),
  },
};
