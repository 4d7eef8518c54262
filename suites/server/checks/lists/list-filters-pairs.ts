import { clause } from "../../../../openapi/generated/clauses.ts";
import {
  type ElementOf,
  elementSets,
  FILTER_PAIRS,
  nameOfPair,
} from "../../../core/contract/element-sets.ts";
import { auxiliaryStep } from "../../../core/grading/expectations/auxiliary-step.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import {
  expectFound,
  FILTER_MARGIN_MS,
  findByReference,
  idsOf,
  type ListQuery,
  listDeliveries,
  shiftInstant,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { cancelDelivery, createDelivery } from "../../support/orders/deliveries.ts";

const HOUR_MS = 3_600_000;

type Filter = ElementOf<"filters-of-the-list">;

/** Values of a filter: one that matches the delivery, and one that excludes it. */
interface Choice {
  readonly matching: string;
  readonly excluding: string;
}

/**
 * Adds the store to a filter by status and end time, because such a filter alone could match years of
 * deliveries.
 */
const extraFilters = ([first, second]: readonly [Filter, Filter], external_store_id: string): ListQuery =>
  first === "status" && second === "created_to" ? { external_store_id } : {};

const pairs = check({
  id: "list-filters.pairs",
  title: "two filters are combined with AND",
  clauses: [clause["LIST-29"]],
  needs: ["pairing"],
  async run(context) {
    const { api, store, anotherStore } = context;
    const { external_store_id: storeId } = await store();
    const { external_store_id: otherStoreId } = await anotherStore();
    // The delivery is cancelled, so that its status is final and not RECEIVED.
    const delivery = await cancelDelivery(
      api,
      (await createDelivery(context, { store: { external_store_id: storeId } })).id,
    );
    const { external_ref, status, created_at, updated_at } = delivery;
    const choices: Readonly<Record<Filter, Choice>> = {
      status: { matching: status, excluding: "RECEIVED" },
      from: {
        matching: shiftInstant(updated_at, -FILTER_MARGIN_MS),
        excluding: shiftInstant(updated_at, HOUR_MS),
      },
      created_from: {
        matching: shiftInstant(created_at, -2 * FILTER_MARGIN_MS),
        excluding: shiftInstant(created_at, HOUR_MS),
      },
      // No query has a created_to before its created_from, because such a range is unspecified (OPEN-142).
      created_to: {
        matching: shiftInstant(created_at, 2 * HOUR_MS),
        excluding: shiftInstant(created_at, -FILTER_MARGIN_MS),
      },
      external_ref: { matching: external_ref, excluding: newReference() },
      external_store_id: { matching: storeId, excluding: otherStoreId },
    };
    await waitUntilListed(api, sinceCreationOf(delivery, storeId), [delivery]);
    // If external_ref alone doesn't find the delivery, the combination isn't the fault.
    await auxiliaryStep(async () => expectFound(await findByReference(api, external_ref), external_ref));
    const { label } = elementSets["filter-pairs"];
    const pairCases = { ...cases(label, FILTER_PAIRS, nameOfPair), set: "filter-pairs" } as const;
    await context.each(
      pairCases,
      async (pair) => {
        const [firstFilter, secondFilter] = pair;
        const listWith = async (first: keyof Choice, second: keyof Choice) => {
          const query: ListQuery = {
            ...extraFilters(pair, storeId),
            [firstFilter]: choices[firstFilter][first],
            [secondFilter]: choices[secondFilter][second],
          };
          return [
            idsOf(await listDeliveries(api, query)),
            `the deliveries with ${JSON.stringify(query)}`,
          ] as const;
        };
        const [found, subject] = await listWith("matching", "matching");
        expectThat(subject, found).includes(delivery.id);
        for (const [first, second] of [
          ["matching", "excluding"],
          ["excluding", "matching"],
        ] as const) {
          const [listed, otherSubject] = await listWith(first, second);
          expectThat(`${otherSubject}, where one filter doesn't match`, listed).doesNotInclude(delivery.id);
        }
      },
      { concurrency: 4 },
    );
  },
});

export const pairsOfFiltersChecks: readonly Check[] = [pairs];
