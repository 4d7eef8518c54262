import { randomUUID } from "node:crypto";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { alterDeliveryRecords } from "../operators/deliveries.ts";
import { alterRead } from "../operators/operations.ts";

const keepVersionIf =
  (applies: (change: object, kind: string | null, before: Delivery, revised: Delivery) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    revise: (before, change, stamp, kind) => {
      const revised = deps.revise(before, change, stamp, kind);
      return applies(change, kind, before, revised) ? { ...revised, version: before.version } : revised;
    },
  });

const CHANGEABLE_FIELDS = elementsOf("changeable-fields");

/** The value of a changeable field, or the address of a drop-off. */
const valueAt = (delivery: Delivery, field: (typeof CHANGEABLE_FIELDS)[number]): unknown => {
  const [key = "", inner = "address"] = field.split(".");
  const value: unknown = Reflect.get(delivery, key);
  return isObject(value) ? value[inner] : value;
};

const isOnlyChange = (
  field: (typeof CHANGEABLE_FIELDS)[number],
  before: Delivery,
  after: Delivery,
): boolean =>
  CHANGEABLE_FIELDS.every((name) => (valueAt(before, name) !== valueAt(after, name)) === (name === field));

export const deliveryFieldsIdentityMutants: Mutants = {
  "delivery-id-with-a-prefix": {
    fault: "a delivery's id is a UUID with a prefix",
    breaks: [{ clause: "DLV-3" }],
    mutate: alterDelivery(({ id }) => ({ id: `dlv_${id}` })),
  },
  "read-shows-another-id": {
    fault: "reading a delivery returns a new id each time",
    breaks: [{ clause: "DLV-3" }],
    mutate: alterRead(() => ({ id: randomUUID() })),
  },
  "store-id-is-the-external-one": {
    fault: "store_id is the store's external_store_id",
    breaks: [{ clause: "DLV-5" }],
    mutate: alterRead(async ({ store_id }, { deps }) => {
      const store = await deps.records.stores.findById(deps.database, store_id);
      return { store_id: store?.external_store_id };
    }),
  },
  "store-id-is-the-company": {
    fault: "store_id is the courier company's id",
    breaks: [{ clause: "DLV-5" }],
    mutate: alterRead(async ({ store_id }, { deps }) => {
      const store = await deps.records.stores.findById(deps.database, store_id);
      return { store_id: store?.company.id };
    }),
  },
  "version-from-0": {
    fault: "version starts at 0",
    breaks: [{ clause: "DLV-6" }, { clause: "DLV-7" }],
    mutate: alterDelivery(({ version }) => ({ version: version - 1 })),
  },
  "version-from-2": {
    fault: "version starts at 2",
    breaks: [{ clause: "DLV-7" }],
    mutate: alterDelivery(({ version }) => ({ version: version + 1 })),
  },
  "version-stays-on-patch": {
    fault: "a PATCH doesn't increase the version",
    breaks: [{ clause: "DLV-8" }],
    caughtBy: ["delivery-fields.version"],
    mutate: keepVersionIf((_, kind) => kind === "delivery.updated"),
  },
  "version-stays-on-cancel": {
    fault: "a cancellation doesn't increase the version",
    breaks: [{ clause: "DLV-8" }],
    caughtBy: ["delivery-fields.version"],
    mutate: keepVersionIf((_, kind) => kind === "delivery.cancelled"),
  },
  ...forEachElement(
    CHANGEABLE_FIELDS,
    (field) => `version-stays-when-${field}-changes`,
    (field) => ({
      fault: `a PATCH of only ${field} doesn't increase the version`,
      breaks: breaking(field, "DLV-8"),
      caughtBy: [field === "scheduled_for" ? "schedule-changes.before-any-quote" : "delivery-fields.version"],
      mutate: keepVersionIf((_, __, before, revised) => isOnlyChange(field, before, revised)),
    }),
  ),
  ...forEachElement(
    elementsOf("courier-actions-until-delivery"),
    (move) => `version-stays-when-${move}`,
    (move) => ({
      fault: `the courier action ${move} doesn't increase the version`,
      breaks: breaking(move, "DLV-9"),
      caughtBy: ["courier.versions"],
      mutate: keepVersionIf((_, kind) => kind === `delivery.${move}`),
    }),
  ),
  "version-stays-on-customer-change": {
    fault: "a PATCH of only the customer doesn't increase the version",
    breaks: breaking(["customer.name", "customer.phone", "customer.phone_extension"], "DLV-8"),
    caughtBy: ["delivery-fields.version"],
    mutate: keepVersionIf((change) => Object.keys(change).join() === "customer"),
  },
  "read-without-notes": {
    fault: "only the response to the creation contains the notes",
    breaks: [{ clause: "DLV-57" }],
    caughtBy: ["delivery-fields.read"],
    mutate: alterRead(() => ({ notes: null })),
  },
  "read-without-the-customer": {
    fault: "reading a delivery returns no customer",
    breaks: [{ clause: "DLV-57" }],
    caughtBy: ["delivery-fields.read"],
    mutate: alterRead(() => ({ customer: null })),
  },
  "deliveries-found-without-their-last-character": {
    fault: "the last character of a delivery's id isn't compared",
    breaks: [{ clause: "DLV-58" }, { clause: "PATCH-21" }, { clause: "CANCEL-6" }],
    mutate: alterDeliveryRecords((deliveries) => ({
      async find(db, integratorId, deliveryId) {
        const exact = await deliveries.find(db, integratorId, deliveryId);
        if (exact) return exact;
        const similar = await db
          .selectFrom("deliveries")
          .select("id")
          .where("id", "like", `${deliveryId.slice(0, -1)}%`)
          .executeTakeFirst();
        return similar && deliveries.find(db, integratorId, similar.id);
      },
    })),
  },
  "unknown-delivery-answers-400": {
    fault: "reading an unknown delivery returns 400",
    breaks: [{ clause: "DLV-58" }],
    mutate: (deps) => ({
      ...deps,
      operations: {
        ...deps.operations,
        getDelivery: async (call) => {
          try {
            return await deps.operations.getDelivery(call);
          } catch (error) {
            throw error instanceof DomainError ? rejected("id", "bilinmiyor") : error;
          }
        },
      },
    }),
  },
};
