import { isObject, type JsonObject } from "../../reference-server/documents.ts";
import type { Delivery } from "../../reference-server/domain/model.ts";
import type { Parts } from "../../reference-server/parts.ts";
import { withDeliveryRecords } from "./delivery-faults.ts";
import type { Mutant } from "./mutant.ts";

type Mutate = Mutant["mutate"];
type Page = Parts["records"]["deliveries"]["page"];
export type Query = Parameters<Page>[2];

/** More than any trial has. */
export const ALL = 100_000;

/** The server that asks its database for something else than the list's query. */
export const querying = (change: (query: Query) => Partial<Query>): Mutate =>
  withDeliveryRecords((deliveries) => ({
    page: (db, integratorId, query) => deliveries.page(db, integratorId, { ...query, ...change(query) }),
  }));

/** The server that picks and orders a page's deliveries by itself, out of all that the other filters leave. */
export const picking = (
  loosen: (query: Query) => Partial<Query>,
  pick: (rows: readonly Delivery[], query: Query) => readonly Delivery[],
): Mutate =>
  withDeliveryRecords((deliveries) => ({
    async page(db, integratorId, query) {
      const rows = await deliveries.page(db, integratorId, { ...query, ...loosen(query), rows: ALL });
      return pick(rows, query).slice(0, query.rows);
    },
  }));

type PageView = ReturnType<Parts["views"]["page"]>;

/** The server that shows a page otherwise. */
export const paging =
  (change: (page: PageView) => object): Mutate =>
  (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      page: (...given) => {
        const page = parts.views.page(...given);
        return { ...page, ...change(page) };
      },
    },
  });

/** The server that demands something else of one of the list's parameters. */
export const parameter =
  (name: string, schema: JsonObject): Mutate =>
  (parts) => {
    const document = structuredClone(parts.document);
    const get = document.paths["/v1/deliveries"]?.get;
    const parameters = isObject(get) && Array.isArray(get.parameters) ? get.parameters : [];
    const place: unknown = parameters.find((one) => isObject(one) && one.name === name);
    if (!isObject(place)) throw new Error(`the list has no parameter ${name}`);
    place.schema = schema;
    return { ...parts, document };
  };
