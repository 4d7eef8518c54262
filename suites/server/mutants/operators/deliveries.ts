import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError, type ErrorCode } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutate } from "../mutant.ts";
import { onRefusal, replaceOperation } from "./operations.ts";

type DeliveryRecords = Parts["records"]["deliveries"];
type Update = Call<"updateDelivery">;
type Page = DeliveryRecords["page"];
export type Query = Parameters<Page>[2];

/** The server with other queries of deliveries. */
const alterDeliveryRecords =
  (change: (deliveries: DeliveryRecords) => Partial<DeliveryRecords>): Mutate =>
  (parts) => ({
    ...parts,
    records: {
      ...parts.records,
      deliveries: { ...parts.records.deliveries, ...change(parts.records.deliveries) },
    },
  });

/** The server that writes something else than what a delivery has become. */
export const alterUpdate = (change: (after: Delivery, before: Delivery) => Partial<Delivery>): Mutate =>
  alterDeliveryRecords((deliveries) => ({
    async update(tx, after, dueAt) {
      const before = await deliveries.find(tx, after.integrator_id, after.id);
      await deliveries.update(tx, { ...after, ...(before && change(after, before)) }, dueAt);
    },
  }));

/** The server that takes a change for another one. */
export const alterChange = (change: (body: Update["body"], before: Delivery) => Update["body"]): Mutate =>
  replaceOperation("updateDelivery", async (call, original) => {
    const before = await findDelivery(call);
    return original(before === undefined ? call : { ...call, body: change(call.body, before) });
  });

/** The server that forgets what a change says of the customer, or keeps it otherwise. */
export const alterCustomerChange = (
  change: (customer: NonNullable<Update["body"]["customer"]>) => NonNullable<Update["body"]["customer"]>,
): Mutate => alterChange((body) => ({ ...body, ...(body.customer && { customer: change(body.customer) }) }));

/** The delivery that a call is about. */
export const findDelivery = ({
  parts,
  integrator,
  path,
}: Pick<Update, "parts" | "integrator" | "path">): Promise<Delivery | undefined> =>
  parts.records.deliveries.find(parts.database, integrator.id, path.id);

/** Writes into a delivery past all rules. */
export async function overwriteDelivery(
  { parts, integrator }: Pick<Update, "parts" | "integrator">,
  id: string,
  change: Partial<Delivery>,
): Promise<void> {
  await parts.transaction(parts, async (tx) => {
    const delivery = await parts.records.deliveries.find(tx, integrator.id, id);
    if (delivery) await parts.records.deliveries.update(tx, { ...delivery, ...change }, null);
  });
}

/** The server that refuses with another code than it should. */
export const alterRefusalCode = (
  operation: "updateDelivery" | "cancelDelivery",
  code: ErrorCode,
  other: ErrorCode,
): Mutate =>
  replaceOperation(operation, (call, original) =>
    onRefusal(code, original(call), async () => {
      throw new DomainError(other);
    }),
  );

/** The server that does as if a delivery that it doesn't know had been changed or cancelled. */
export const acceptUnknownDelivery = (operation: "updateDelivery" | "cancelDelivery"): Mutate =>
  replaceOperation(operation, (call, original) =>
    onRefusal("BULUNAMADI", original(call), async () => ({ status: 204 })),
  );

/** More than any trial has. */
export const ALL_ROWS = 100_000;

/** The server that asks its database for something else than the list's query. */
export const alterQuery = (change: (query: Query) => Partial<Query>): Mutate =>
  alterDeliveryRecords((deliveries) => ({
    page: (db, integratorId, query) => deliveries.page(db, integratorId, { ...query, ...change(query) }),
  }));

/** The server that picks and orders a page's deliveries by itself, out of all that the other filters leave. */
export const replacePage = (
  loosen: (query: Query) => Partial<Query>,
  pick: (rows: readonly Delivery[], query: Query) => readonly Delivery[],
): Mutate =>
  alterDeliveryRecords((deliveries) => ({
    async page(db, integratorId, query) {
      const rows = await deliveries.page(db, integratorId, { ...query, ...loosen(query), rows: ALL_ROWS });
      return pick(rows, query).slice(0, query.rows);
    },
  }));
