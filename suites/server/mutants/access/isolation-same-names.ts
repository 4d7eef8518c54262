import { DomainError } from "../../../../reference-server/errors.ts";
import type { Mutants } from "../mutant.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";
import { asOwnerOfStore } from "./isolation.ts";

export const isolationSameNamesMutants: Mutants = {
  "quotes-of-the-first-store-of-an-id": {
    fault: "a quote is for the first store with the external_store_id, which may be another integrator's",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const { external_store_id } = call.body.store;
      const { database, records } = call.deps;
      const own = await records.stores.find(database, call.integrator.id, external_store_id);
      return original(own ? await asOwnerOfStore(call, external_store_id) : call);
    }),
  },
  "external-store-ids-unique-across-integrators": {
    fault: "external_store_id is unique across all integrators",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("registerStore", async (call, original) => {
      const owner = await asOwnerOfStore(call, call.body.external_store_id);
      if (owner.integrator.id !== call.integrator.id) throw new DomainError("BASKA_POS");
      return original(call);
    }),
  },
  "references-unique-per-external-store-id": {
    fault: "external_ref is unique across all integrators' stores with the same external_store_id",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const { body, deps } = call;
      const existing = await deps.database
        .selectFrom("deliveries")
        .innerJoin("stores", "stores.id", "deliveries.store_id")
        .select("deliveries.id")
        .where("stores.external_store_id", "=", body.store.external_store_id)
        .where("deliveries.external_ref", "=", body.external_ref)
        .where("deliveries.integrator_id", "!=", call.integrator.id)
        .executeTakeFirst();
      if (existing) throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: existing.id });
      return original(call);
    }),
  },
  "existing-reference-of-another-integrator-named": {
    fault:
      "EXTERNAL_REF_TEKRAR contains the newest delivery of all integrators' stores with the same external_store_id",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("EXTERNAL_REF_TEKRAR", original(call), async () => {
        const { body, deps } = call;
        const { id } = await deps.database
          .selectFrom("deliveries")
          .innerJoin("stores", "stores.id", "deliveries.store_id")
          .select("deliveries.id")
          .where("stores.external_store_id", "=", body.store.external_store_id)
          .where("deliveries.external_ref", "=", body.external_ref)
          .orderBy("deliveries.created_at", "desc")
          .executeTakeFirstOrThrow();
        throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: id });
      }),
    ),
  },
  "idempotency-keys-unique-per-external-store-id": {
    fault: "idempotency keys are shared by all integrators' stores with the same external_store_id",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.same-store-id"],
    mutate: replaceOperation("createDelivery", (call, original) => {
      const scope = () => call.body.store.external_store_id;
      return original({
        ...call,
        deps: { ...call.deps, idempotency: { ...call.deps.idempotency, scope } },
      });
    }),
  },
};
