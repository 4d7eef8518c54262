import type { components } from "../../openapi/generated/courier-dispatch.ts";
import type { Call } from "../../reference-server/call.ts";
import { isObject, type JsonObject } from "../../reference-server/documents.ts";
import type { Delivery } from "../../reference-server/domain/model.ts";
import type { Parts } from "../../reference-server/parts.ts";
import type { Mutant } from "./mutant.ts";

type Schemas = components["schemas"];
type Mutate = Mutant["mutate"];

/** Several faults that make one together: a bound that is gone, and what the server then does with the value. */
export const together =
  (...faults: readonly Mutate[]): Mutate =>
  (parts) =>
    faults.reduce((changed, fault) => fault(changed), parts);

function objectAt(parent: JsonObject, key: string): JsonObject {
  const found = parent[key];
  if (!isObject(found)) throw new Error(`the document has no object at ${key}`);
  return found;
}

/** The server that takes one of the document's named schemas otherwise. */
export const schema =
  (name: string, change: (schema: JsonObject) => void): Mutate =>
  (parts) => {
    const document = structuredClone(parts.document);
    change(objectAt(objectAt(document.components, "schemas"), name));
    return { ...parts, document };
  };

/** The server that demands something else of one property; undefined is a demand no more. */
export const property = (name: string, key: string, demands: JsonObject): Mutate =>
  schema(name, (changed) => {
    const place = objectAt(objectAt(changed, "properties"), key);
    for (const [keyword, demand] of Object.entries(demands)) {
      if (demand === undefined) delete place[keyword];
      else place[keyword] = demand;
    }
  });

/** The server that doesn't miss a property. */
export const optional = (name: string, key: string): Mutate =>
  schema(name, (changed) => {
    changed.required = [changed.required].flat().filter((one) => one !== key);
  });

type CreateCall = Call<"createDelivery">;
type Created = Awaited<ReturnType<Parts["operations"]["createDelivery"]>>;

/** The server that does something before or after a creation, or in place of it. */
export const creation =
  (change: (call: CreateCall, create: (call: CreateCall) => Promise<Created>) => Promise<Created>): Mutate =>
  (parts) => ({
    ...parts,
    operations: {
      ...parts.operations,
      createDelivery: (call) => change(call, parts.operations.createDelivery),
    },
  });

/** The server that takes an order for another one. What the body holds isn't known any more once a demand is gone. */
export const ordering = (change: (body: CreateCall["body"], call: CreateCall) => object): Mutate =>
  creation(async (call, create) => create({ ...call, body: { ...call.body, ...change(call.body, call) } }));

/** The server that shows a delivery otherwise, wherever it shows it. */
export const showing =
  (change: (shown: Schemas["Delivery"], delivery: Delivery, parts: Parts) => object): Mutate =>
  (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      delivery: (current, delivery) => {
        const shown = parts.views.delivery(current, delivery);
        return { ...shown, ...change(shown, delivery, current) };
      },
    },
  });

type ReadCall = Call<"getDelivery">;

/** The server that shows a delivery otherwise where it is read by its id, and nowhere else. */
export const reading =
  (change: (body: Schemas["Delivery"], call: ReadCall) => object | Promise<object>): Mutate =>
  (parts) => ({
    ...parts,
    operations: {
      ...parts.operations,
      getDelivery: async (call) => {
        const { status, body } = await parts.operations.getDelivery(call);
        return { status, body: { ...body, ...(await change(body, call)) } };
      },
    },
  });
