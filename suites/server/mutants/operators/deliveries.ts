import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError, type ErrorCode } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Mutate } from "../mutant.ts";
import { onRefusal, replaceOperation } from "./operations.ts";

type DeliveryRecords = Dependencies["records"]["deliveries"];
type Update = Call<"updateDelivery">;
type Page = DeliveryRecords["page"];
export type Query = Parameters<Page>[2];

export const alterDeliveryRecords =
  (change: (deliveries: DeliveryRecords) => Partial<DeliveryRecords>): Mutate =>
  (deps) => ({
    ...deps,
    records: {
      ...deps.records,
      deliveries: { ...deps.records.deliveries, ...change(deps.records.deliveries) },
    },
  });

/** A server that stores something else after a change of a delivery. */
export const alterUpdate = (change: (after: Delivery, before: Delivery) => Partial<Delivery>): Mutate =>
  alterDeliveryRecords((deliveries) => ({
    async update(tx, after, dueAt) {
      const before = await deliveries.find(tx, after.integrator_id, after.id);
      await deliveries.update(tx, { ...after, ...(before && change(after, before)) }, dueAt);
    },
  }));

export const alterChange = (change: (body: Update["body"], before: Delivery) => Update["body"]): Mutate =>
  replaceOperation("updateDelivery", async (call, original) => {
    const before = await findDelivery(call);
    return original(before === undefined ? call : { ...call, body: change(call.body, before) });
  });

/** A server that ignores or misreads changes of the customer. */
export const alterCustomerChange = (
  change: (customer: NonNullable<Update["body"]["customer"]>) => NonNullable<Update["body"]["customer"]>,
): Mutate => alterChange((body) => ({ ...body, ...(body.customer && { customer: change(body.customer) }) }));

export const findDelivery = ({
  deps,
  integrator,
  path,
}: Pick<Update, "deps" | "integrator" | "path">): Promise<Delivery | undefined> =>
  deps.records.deliveries.find(deps.database, integrator.id, path.id);

/** Overwrites a delivery without applying any rule. */
export async function overwriteDelivery(
  { deps, integrator }: Pick<Update, "deps" | "integrator">,
  id: string,
  change: Partial<Delivery>,
): Promise<void> {
  await deps.transaction(async (tx) => {
    const delivery = await deps.records.deliveries.find(tx, integrator.id, id);
    if (delivery) await deps.records.deliveries.update(tx, { ...delivery, ...change }, null);
  });
}

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

/** A server that responds to changes or cancellations of unknown deliveries as if they had succeeded. */
export const acceptUnknownDelivery = (operation: "updateDelivery" | "cancelDelivery"): Mutate =>
  replaceOperation(operation, (call, original) =>
    onRefusal("BULUNAMADI", original(call), async () => ({ status: 204 })),
  );

/** More rows than any test has. */
export const ALL_ROWS = 100_000;

export const alterQuery = (change: (query: Query) => Partial<Query>): Mutate =>
  alterDeliveryRecords((deliveries) => ({
    page: (db, integratorId, query) => deliveries.page(db, integratorId, { ...query, ...change(query) }),
  }));

/** A server that selects and sorts a page itself, from all deliveries that match the other filters. */
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
