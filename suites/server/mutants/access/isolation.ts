import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import type { AuthenticatedContext } from "../../../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutants, Mutate } from "../mutant.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";
import { linkStoreUnchecked } from "../operators/stores.ts";

/** The same call by the delivery's owner. Throws BULUNAMADI for an unknown delivery. */
async function asOwnerOfDelivery<Call extends AuthenticatedContext & { path: { id: string } }>(
  call: Call,
): Promise<Call> {
  const delivery = await call.deps.records.deliveries.findById(call.deps.database, call.path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  return { ...call, integrator: { ...call.integrator, id: delivery.integrator_id } };
}

/** The same call by the store's owner. Unchanged if the store isn't linked. */
export async function asOwnerOfStore<Call extends AuthenticatedContext>(
  call: Call,
  externalStoreId: string,
): Promise<Call> {
  const store = await call.deps.database
    .selectFrom("stores")
    .select("integrator_id")
    .where("external_store_id", "=", externalStoreId)
    .executeTakeFirst();
  return store ? { ...call, integrator: { ...call.integrator, id: store.integrator_id } } : call;
}

type Refused = Pick<AuthenticatedContext, "deps" | "integrator">;

/** A reply whose 404 code reveals that the resource belongs to another integrator. */
async function revealExistence<Reply>(reply: Promise<Reply>, exists: () => Promise<boolean>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof DomainError) || !(await exists())) throw error;
    if (error.code === "BULUNAMADI") throw new DomainError("MAGAZA_YOK");
    if (error.code === "MAGAZA_YOK") throw new DomainError("BULUNAMADI");
    throw error;
  }
}

const deliveryExists = async ({ deps, path }: Refused & { readonly path: { readonly id: string } }) =>
  (await deps.records.deliveries.findById(deps.database, path.id)) !== undefined;

const webhookExists = async ({ deps, path }: Refused & { readonly path: { readonly id: string } }) =>
  (await deps.database.selectFrom("webhooks").select("id").where("id", "=", path.id).executeTakeFirst()) !==
  undefined;

const storeExists = async ({ deps }: Refused, externalStoreId: string) =>
  (await deps.database
    .selectFrom("stores")
    .select("id")
    .where("external_store_id", "=", externalStoreId)
    .executeTakeFirst()) !== undefined;

const revealingMutant = (
  operation: string,
  clauses: readonly ClauseId[],
  mutate: Mutate,
  caughtBy?: readonly string[],
): Mutant => ({
  fault: `the error code of ${operation} differs for another integrator's record and an unknown one`,
  // The check of photos has no cases.
  breaks: operation === "getProof" ? clauses.map((clause) => ({ clause })) : breaking(operation, ...clauses),
  caughtBy,
  mutate,
});

export const isolationMutants: Mutants = {
  "getDelivery-reveals-foreign-ids": revealingMutant(
    "getDelivery",
    ["ISO-7"],
    replaceOperation("getDelivery", (call, original) =>
      revealExistence(original(call), () => deliveryExists(call)),
    ),
    ["isolation.reading-a-delivery"],
  ),
  "updateDelivery-reveals-foreign-ids": revealingMutant(
    "updateDelivery",
    ["ISO-7"],
    replaceOperation("updateDelivery", (call, original) =>
      revealExistence(original(call), () => deliveryExists(call)),
    ),
    ["isolation.changing-a-delivery"],
  ),
  "cancelDelivery-reveals-foreign-ids": revealingMutant(
    "cancelDelivery",
    ["ISO-7"],
    replaceOperation("cancelDelivery", (call, original) =>
      revealExistence(original(call), () => deliveryExists(call)),
    ),
    ["isolation.changing-a-delivery"],
  ),
  "listProofs-reveals-foreign-ids": revealingMutant(
    "listProofs",
    ["ISO-15"],
    replaceOperation("listProofs", (call, original) =>
      revealExistence(original(call), () => deliveryExists(call)),
    ),
  ),
  "getProof-reveals-foreign-ids": revealingMutant(
    "getProof",
    ["ISO-15"],
    replaceOperation("getProof", (call, original) =>
      revealExistence(original(call), () => deliveryExists(call)),
    ),
  ),
  "getProof-reveals-foreign-photos": revealingMutant(
    "getProof",
    ["ISO-20"],
    replaceOperation("getProof", (call, original, deps) =>
      revealExistence(original(call), async () => {
        const photo = deps.database.selectFrom("proofs").select("id").where("id", "=", call.path.proofId);
        return (await photo.executeTakeFirst()) !== undefined;
      }),
    ),
  ),
  "deleteWebhook-reveals-foreign-ids": revealingMutant(
    "deleteWebhook",
    ["ISO-16", "ISO-19"],
    replaceOperation("deleteWebhook", (call, original) =>
      revealExistence(original(call), () => webhookExists(call)),
    ),
  ),
  "rotateWebhookSecret-reveals-foreign-ids": revealingMutant(
    "rotateWebhookSecret",
    ["ISO-16", "ISO-19"],
    replaceOperation("rotateWebhookSecret", (call, original) =>
      revealExistence(original(call), () => webhookExists(call)),
    ),
  ),
  "testWebhook-reveals-foreign-ids": revealingMutant(
    "testWebhook",
    ["ISO-16", "ISO-19"],
    replaceOperation("testWebhook", (call, original) =>
      revealExistence(original(call), () => webhookExists(call)),
    ),
  ),
  "getStore-reveals-foreign-ids": revealingMutant(
    "getStore",
    ["ISO-18"],
    replaceOperation("getStore", (call, original) =>
      revealExistence(original(call), () => storeExists(call, call.path.external_store_id)),
    ),
  ),
  "createDelivery-reveals-foreign-ids": revealingMutant(
    "createDelivery",
    ["ISO-18"],
    replaceOperation("createDelivery", (call, original) =>
      revealExistence(original(call), () => storeExists(call, call.body.store.external_store_id)),
    ),
  ),
  "createQuote-reveals-foreign-ids": revealingMutant(
    "createQuote",
    ["ISO-18"],
    replaceOperation("createQuote", (call, original) =>
      revealExistence(original(call), () => storeExists(call, call.body.store.external_store_id)),
    ),
  ),
  "foreign-cursor-has-its-own-error-code": {
    fault: "another integrator's cursor is refused with DOGRULAMA",
    breaks: [{ clause: "ISO-9" }, { clause: "ISO-21" }],
    caughtBy: ["isolation.foreign-cursor"],
    mutate: (deps) => {
      const owners = new Map<string, string>();
      return replaceOperation("listDeliveries", async (call, original) => {
        const owner = owners.get(call.query.since ?? "") ?? call.integrator.id;
        if (owner !== call.integrator.id) throw rejected("since", "size ait değil");
        const reply = await original(call);
        const { next_cursor } = reply.body;
        if (next_cursor) owners.set(String(next_cursor), owner);
        return reply;
      })(deps);
    },
  },
  "foreign-delivery-is-shown": {
    fault: "any integrator can read a delivery",
    breaks: [{ clause: "ISO-1" }],
    mutate: replaceOperation("getDelivery", async (call, original) =>
      original(await asOwnerOfDelivery(call)),
    ),
  },
  "foreign-cancelled-delivery-is-shown": {
    fault: "any integrator can read a cancelled delivery",
    breaks: [{ clause: "ISO-1" }],
    mutate: replaceOperation("getDelivery", async (call, original) => {
      const { deps, path } = call;
      const delivery = await deps.records.deliveries.findById(deps.database, path.id);
      return original(delivery?.status === "CANCELLED" ? await asOwnerOfDelivery(call) : call);
    }),
  },
  "foreign-delivery-can-be-changed": {
    fault: "any integrator can change a delivery",
    breaks: [{ clause: "ISO-2" }],
    mutate: replaceOperation("updateDelivery", async (call, original) =>
      original(await asOwnerOfDelivery(call)),
    ),
  },
  "foreign-delivery-cancelled-though-refused": {
    fault: "cancelling another integrator's delivery is refused, but carried out",
    breaks: [{ clause: "ISO-8" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        await original(await asOwnerOfDelivery(call));
        throw refusal;
      }),
    ),
  },
  "foreign-cancelled-delivery-is-final": {
    fault: "cancelling another integrator's cancelled delivery returns SON_DURUM instead of 404",
    breaks: [{ clause: "ISO-3" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      const { deps, path } = call;
      const delivery = await deps.records.deliveries.findById(deps.database, path.id);
      return original(delivery?.status === "CANCELLED" ? await asOwnerOfDelivery(call) : call);
    }),
  },
  "foreign-delivery-with-a-courier-is-shown": {
    fault: "any integrator can read a delivery that a courier has",
    breaks: breaking("getDelivery", "ISO-22"),
    mutate: replaceOperation("getDelivery", async (call, original) => {
      const { deps, path } = call;
      const delivery = await deps.records.deliveries.findById(deps.database, path.id);
      return original(delivery?.courier ? await asOwnerOfDelivery(call) : call);
    }),
  },
  "foreign-delivery-with-the-courier-is-refused-for-its-state": {
    fault: "changing another integrator's delivery that a courier has returns KURYE_ALDI instead of 404",
    breaks: breaking("updateDelivery", "ISO-22"),
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const { deps, path } = call;
      const delivery = await deps.records.deliveries.findById(deps.database, path.id);
      return original(delivery?.picked_up_at ? await asOwnerOfDelivery(call) : call);
    }),
  },
  "foreign-store-is-shown": {
    fault: "any integrator can read a store",
    breaks: [{ clause: "ISO-4", case: "getStore" }],
    mutate: replaceOperation("getStore", async (call, original) =>
      original(await asOwnerOfStore(call, call.path.external_store_id)),
    ),
  },
  "foreign-store-updated-without-a-code": {
    fault: "any integrator can update a store by its external_store_id",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.other-integrators-store"],
    mutate: replaceOperation("registerStore", async (call, original) => {
      const { body, deps, integrator } = call;
      const own = await deps.records.stores.find(deps.database, integrator.id, body.external_store_id);
      if (own !== undefined || body.pairing_code !== undefined) return original(call);
      return original(await asOwnerOfStore(call, body.external_store_id));
    }),
  },
  "foreign-store-linked-without-a-code": {
    fault: "an external_store_id that another integrator has linked needs no pairing code",
    breaks: [{ clause: "ISO-13" }],
    caughtBy: ["isolation.other-integrators-store"],
    mutate: replaceOperation("registerStore", (call, original) =>
      onRefusal("ESLEME_KODU_GEREKLI", original(call), async (refusal) => {
        if (!(await storeExists(call, call.body.external_store_id))) throw refusal;
        await linkStoreUnchecked(call);
        return original(call);
      }),
    ),
  },
  "foreign-store-takes-orders": {
    fault: "any integrator can create deliveries at a store",
    breaks: [{ clause: "ISO-5", case: "createDelivery" }],
    mutate: replaceOperation("createDelivery", async (call, original) =>
      original(await asOwnerOfStore(call, call.body.store.external_store_id)),
    ),
  },
  "foreign-store-is-quoted": {
    fault: "any integrator can get a quote for a store",
    breaks: [{ clause: "ISO-6", case: "createQuote" }],
    mutate: replaceOperation("createQuote", async (call, original) =>
      original(await asOwnerOfStore(call, call.body.store.external_store_id)),
    ),
  },
  "idempotency-keys-shared-by-all-integrators": {
    fault: "idempotency keys are shared by all integrators",
    breaks: [{ clause: "ISO-12" }],
    mutate: (deps) => ({ ...deps, idempotency: { ...deps.idempotency, scope: () => "everyone" } }),
  },
  "references-unique-across-integrators": {
    fault: "external_ref is unique across all integrators",
    breaks: [{ clause: "ISO-14" }],
    mutate: (deps) => {
      const { deliveries } = deps.records;
      const insert: typeof deliveries.insert = async (tx, delivery, ...rest) => {
        const used = await tx
          .selectFrom("deliveries")
          .select("id")
          .where("external_ref", "=", delivery.external_ref)
          .executeTakeFirst();
        return used === undefined && deliveries.insert(tx, delivery, ...rest);
      };
      const findByRef: typeof deliveries.findByRef = async (tx, integratorId, storeId, ref) => {
        const used = await tx
          .selectFrom("deliveries")
          .select(["integrator_id", "id"])
          .where("external_ref", "=", ref)
          .executeTakeFirst();
        return used
          ? deliveries.find(tx, used.integrator_id, used.id)
          : deliveries.findByRef(tx, integratorId, storeId, ref);
      };
      return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, insert, findByRef } } };
    },
  },
  "pairing-code-works-for-others": {
    fault: "a pairing code used by one integrator works for another",
    breaks: [{ clause: "REG-9" }],
    mutate: (deps) => ({
      ...deps,
      pairing: { refusal: (code, ageMs) => deps.pairing.refusal({ ...code, used_at: null }, ageMs) },
      records: {
        ...deps.records,
        pairing: {
          ...deps.records.pairing,
          useCode: async () => true,
          bindRestaurant: async () => true,
        },
      },
    }),
  },
};
