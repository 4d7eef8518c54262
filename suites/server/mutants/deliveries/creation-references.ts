import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { ALL_ROWS } from "../operators/deliveries.ts";
import { alterCreation, OVERLAP_MS, replaceOperation } from "../operators/operations.ts";
import { isRefusal } from "./creation.ts";

type CreateCall = Call<"createDelivery">;

/** The existing delivery with an external_ref, by default the order's, and the order's store. */
async function holderOf(
  { deps, integrator, body }: CreateCall,
  external_ref = body.external_ref,
): Promise<Delivery> {
  const { external_store_id } = body.store;
  const store = await deps.records.stores.find(deps.database, integrator.id, external_store_id);
  const holder =
    store && (await deps.records.deliveries.findByRef(deps.database, integrator.id, store.id, external_ref));
  if (!holder) throw new Error("no delivery has the duplicate external_ref");
  return holder;
}

/** The integrator's deliveries with the order's external_ref at any store, by their first change. */
const withReference = ({ deps, integrator, body }: CreateCall): Promise<readonly Delivery[]> =>
  deps.records.deliveries.page(deps.database, integrator.id, {
    external_ref: body.external_ref,
    rows: ALL_ROWS,
  });

/** A server with a different reaction to a duplicate external_ref. */
const onRepeat = (
  instead: (
    call: CreateCall,
    create: Parameters<Parameters<typeof alterCreation>[0]>[1],
  ) => ReturnType<typeof create>,
) =>
  alterCreation(async (call, create) => {
    try {
      return await create(call);
    } catch (error) {
      if (!isRefusal(error, "EXTERNAL_REF_TEKRAR")) throw error;
      return instead(call, create);
    }
  });

/** Appended to a second delivery's external_ref, so that the stored references differ. */
const MARK = "'";

const hideMarks = alterDelivery((_, { external_ref }) => ({
  external_ref: external_ref.replaceAll(MARK, ""),
}));

const withMark = (call: CreateCall): CreateCall => ({
  ...call,
  body: { ...call.body, external_ref: `${call.body.external_ref}${MARK}` },
});

const acceptDuplicatesIf = (
  isFree: (holder: Awaited<ReturnType<typeof holderOf>>, call: CreateCall) => boolean,
) =>
  compose(
    hideMarks,
    onRepeat(async (call, create) => {
      const holder = await holderOf(call);
      if (!isFree(holder, call)) throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: holder.id });
      return create(withMark(call));
    }),
  );

/** A repeated registration of a store frees the external_refs of its deliveries. */
const freeOnRepeatedRegistration: Mutate = (deps) => {
  const registeredAgain = new Map<string, number>();
  const note = replaceOperation("registerStore", async (call, original) => {
    const reply = await original(call);
    if (reply.status === 200) registeredAgain.set(reply.body.id, call.now);
    return reply;
  });
  const accept = acceptDuplicatesIf(
    ({ store_id, created_at }) => (registeredAgain.get(store_id) ?? 0) > created_at,
  );
  return compose(note, accept)(deps);
};

/** A server in which two external_refs with the same short form count as the same. */
const compareReferences =
  (shorten: (reference: string) => string): Mutate =>
  (deps) => {
    const taken = new Map<string, string>();
    return alterCreation(async (call, create) => {
      const { store, external_ref } = call.body;
      const key = `${call.integrator.id} ${store.external_store_id} ${shorten(external_ref)}`;
      const holder = taken.get(key);
      if (holder !== undefined && holder !== external_ref)
        throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: (await holderOf(call, holder)).id });
      const created = await create(call);
      taken.set(key, external_ref);
      return created;
    })(deps);
  };

export const creationReferenceMutants: Mutants = {
  "repeat-frees-the-references": {
    fault: "a repeated registration of a store frees the external_refs of its deliveries",
    breaks: [{ clause: "NEW-4" }],
    caughtBy: ["stores.repeat"],
    mutate: freeOnRepeatedRegistration,
  },
  "reference-repeats-in-received": {
    fault: "an external_ref can be used again while its delivery has no coordinates",
    breaks: [
      { clause: "NEW-4", case: "first without coordinates" },
      { clause: "ERR-18", case: "first without coordinates" },
    ],
    caughtBy: ["creation.repeated-reference"],
    mutate: acceptDuplicatesIf(({ status }) => status === "RECEIVED"),
  },
  "reference-is-free-with-a-courier": {
    fault: "a second order with the external_ref of a delivery that has a courier is accepted",
    breaks: breaking(["assigned", "picked_up"], "NEW-60"),
    mutate: acceptDuplicatesIf(({ assigned_at }) => assigned_at !== null),
  },
  "reference-is-free-after-the-assignment": {
    fault: "an external_ref can be used again once a courier is assigned to its delivery",
    breaks: breaking("assigned", "NEW-60"),
    mutate: acceptDuplicatesIf(({ status }) => status === "ASSIGNED"),
  },
  "reference-is-free-after-the-pick-up": {
    fault: "an external_ref can be used again once the courier has the package",
    breaks: breaking("picked_up", "NEW-60"),
    mutate: acceptDuplicatesIf(({ picked_up_at }) => picked_up_at !== null),
  },
  "reference-of-a-scheduled-order-repeats": {
    fault: "an external_ref can be used again while its delivery is scheduled",
    breaks: [
      { clause: "NEW-4", case: "scheduled for tomorrow, with a PIN" },
      { clause: "ERR-18", case: "scheduled for tomorrow, with a PIN" },
    ],
    caughtBy: ["creation.repeated-reference"],
    mutate: acceptDuplicatesIf(({ scheduled_for }) => scheduled_for !== null),
  },
  "reference-is-free-after-a-change": {
    fault: "an external_ref can be used again once its delivery has changed",
    breaks: breaking(
      ["first located by a PATCH", "first with another address by a PATCH"],
      "NEW-4",
      "ERR-18",
    ),
    caughtBy: ["creation.repeated-reference"],
    mutate: acceptDuplicatesIf(({ version }) => version > 1),
  },
  "reference-repeats-in-prepaid-orders": {
    fault: "a prepaid order may use an existing external_ref",
    breaks: [
      { clause: "NEW-4", case: "prepaid, in several packages" },
      { clause: "ERR-18", case: "prepaid, in several packages" },
    ],
    caughtBy: ["creation.repeated-reference"],
    mutate: acceptDuplicatesIf((_, { body }) => body.payment.prepaid === true),
  },
  "references-compared-by-32-characters": {
    fault: "external_refs that have their first 32 characters in common count as the same",
    breaks: breaking(["another end", "no end"], "NEW-61"),
    mutate: compareReferences((reference) => reference.slice(0, 32)),
  },
  "references-compared-as-numbers": {
    fault: "external_refs of digits that differ only in their leading zeros count as the same",
    breaks: [{ clause: "NEW-61", case: "without a leading zero" }],
    mutate: compareReferences((reference) => reference.replace(/^0+(?=\d+$)/, "")),
  },
  "reference-of-40-characters-repeats": {
    fault: "an external_ref of 40 characters can be used again",
    breaks: [{ clause: "NEW-4" }],
    caughtBy: ["creation.similar-references"],
    mutate: acceptDuplicatesIf(({ external_ref }) => external_ref.length === 40),
  },
  "duplicate-reference-error-without-id": {
    fault: "EXTERNAL_REF_TEKRAR has no details",
    actual: "undefined",
    breaks: [{ clause: "NEW-5" }, { clause: "ERR-6" }],
    caughtBy: ["creation.repeated-reference"],
    mutate: onRepeat(async () => {
      throw new DomainError("EXTERNAL_REF_TEKRAR");
    }),
  },
  "duplicate-reference-error-with-another-id": {
    fault: "EXTERNAL_REF_TEKRAR contains a new id instead of the existing delivery's",
    breaks: [{ clause: "NEW-5" }, { clause: "ERR-6" }],
    caughtBy: ["creation.repeated-reference"],
    mutate: onRepeat(async () => {
      throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: randomUUID() });
    }),
  },
  "duplicate-reference-error-with-the-latest-id": {
    fault: "EXTERNAL_REF_TEKRAR contains the id of the store's latest delivery, whatever its external_ref",
    breaks: [{ clause: "NEW-5" }, { clause: "ERR-6" }],
    caughtBy: [
      "creation.repeated-reference",
      "creation.repeated-reference-of-two-stores",
      "creation.concurrent-references",
      "errors.taken-reference",
    ],
    mutate: onRepeat(async (call) => {
      const holder = await holderOf(call);
      const latest = await call.deps.database
        .selectFrom("deliveries")
        .select("id")
        .where("store_id", "=", holder.store_id)
        .orderBy("created_at", "desc")
        .orderBy("change_number", "desc")
        .executeTakeFirst();
      throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: (latest ?? holder).id });
    }),
  },
  "duplicate-reference-error-with-id-at-another-store": {
    fault: "EXTERNAL_REF_TEKRAR contains the id of another store's delivery with the same external_ref",
    breaks: [{ clause: "NEW-5" }],
    caughtBy: ["creation.repeated-reference-of-two-stores"],
    mutate: onRepeat(async (call) => {
      const same = await withReference(call);
      const holder = await holderOf(call);
      const other = same.find(({ store_id }) => store_id !== holder.store_id) ?? holder;
      throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: other.id });
    }),
  },
  "duplicate-reference-error-with-the-first-id": {
    fault: "EXTERNAL_REF_TEKRAR contains the id of the first delivery with the external_ref at any store",
    breaks: [{ clause: "NEW-5", case: "the second store" }],
    caughtBy: ["creation.repeated-reference-of-two-stores"],
    mutate: onRepeat(async (call) => {
      const [first = await holderOf(call)] = await withReference(call);
      throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: first.id });
    }),
  },
  "duplicate-reference-updates-the-first-delivery": {
    fault: "an order refused for its external_ref overwrites the notes of the existing delivery",
    breaks: [{ clause: "NEW-6" }],
    mutate: onRepeat(async (call) => {
      const holder = await holderOf(call);
      const change = {
        path: { id: holder.id },
        query: {},
        headers: {},
        body: { notes: call.body.notes ?? null },
      };
      await call.deps.operations.updateDelivery({ ...call, ...change });
      throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: holder.id });
    }),
  },
  "duplicate-reference-answers-200": {
    fault: "a creation with an existing external_ref returns 200 with that delivery",
    breaks: [{ clause: "NEW-4" }, { clause: "ERR-18" }],
    caughtBy: ["creation.repeated-reference", "models.life-without-a-courier"],
    mutate: onRepeat(async (call) => ({
      status: 200,
      body: call.deps.views.delivery(call.deps, await holderOf(call)),
    })),
  },
  "reference-unique-for-the-integrator": {
    fault: "an external_ref of one store can't be used at another",
    breaks: [{ clause: "NEW-7" }],
    mutate: alterCreation(async (call, create) => {
      const { deps, integrator, body } = call;
      const { external_ref } = body;
      const [holder] = await deps.records.deliveries.page(deps.database, integrator.id, {
        external_ref,
        rows: 1,
      });
      if (holder) throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: holder.id });
      return create(call);
    }),
  },
  "concurrent-references-create-two-deliveries": {
    fault: "concurrent creations with one external_ref create two deliveries",
    breaks: [{ clause: "NEW-8" }],
    mutate: (deps) => {
      const pendingReferences = new Set<string>();
      const race = alterCreation(async (call, create) => {
        const { external_ref } = call.body;
        if (pendingReferences.has(external_ref)) return create(withMark(call));
        pendingReferences.add(external_ref);
        try {
          await pause(OVERLAP_MS);
          return await create(call);
        } finally {
          pendingReferences.delete(external_ref);
        }
      });
      return compose(hideMarks, race)(deps);
    },
  },
  "concurrent-reference-error-without-id": {
    fault: "EXTERNAL_REF_TEKRAR has no details for concurrent creations",
    breaks: [{ clause: "NEW-5" }, { clause: "ERR-6" }],
    caughtBy: ["creation.concurrent-references"],
    mutate: (deps) => {
      const pendingReferences = new Set<string>();
      const race = alterCreation(async (call, create) => {
        const { external_ref } = call.body;
        if (pendingReferences.has(external_ref)) throw new DomainError("EXTERNAL_REF_TEKRAR");
        pendingReferences.add(external_ref);
        try {
          await pause(OVERLAP_MS);
          return await create(call);
        } finally {
          pendingReferences.delete(external_ref);
        }
      });
      return race(deps);
    },
  },
};
