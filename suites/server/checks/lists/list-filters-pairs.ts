import { clause } from "../../../../openapi/generated/clauses.ts";
import {
  type ElementOf,
  elementSets,
  elementsOf,
  FILTER_PAIRS,
  nameOfPair,
} from "../../../core/contract/element-sets.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import {
  FILTER_MARGIN_MS,
  idsOf,
  type ListQuery,
  listDeliveries,
  shiftInstant,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { cancelDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { type Check, check } from "../define.ts";

const HOUR_MS = 3_600_000;

type Filter = ElementOf<"filters-of-the-list">;

/** A filter that matches a delivery, and one that doesn't. */
interface Choice {
  readonly fits: string;
  readonly misses: string;
}

/** Adds the store to a filter by status and end time, which alone could match years of deliveries. */
const otherFilters = ([one, other]: readonly [Filter, Filter], external_store_id: string): ListQuery =>
  one === "status" && other === "created_to" ? { external_store_id } : {};

const pairs = check({
  id: "list-filters.pairs",
  title: "two filters are combined with AND",
  clauses: [clause["LIST-29"]],
  needs: ["pairing"],
  mutants: [
    "status-at-a-store-finds-nothing",
    ...elementsOf("filter-pairs").map((pair) => `of-${pair}-ignores-the-second` as const),
  ],
  async run(context) {
    const { api, store, anotherStore } = context;
    const { external_store_id: here } = await store();
    const { external_store_id: there } = await anotherStore();
    // Its status differs from the one in the filter, and is final.
    const delivery = await cancelDelivery(
      api,
      (await createDelivery(context, { store: { external_store_id: here } })).id,
    );
    const { external_ref, status, created_at, updated_at } = delivery;
    const choices: Readonly<Record<Filter, Choice>> = {
      status: { fits: status, misses: "RECEIVED" },
      from: { fits: shiftInstant(updated_at, -FILTER_MARGIN_MS), misses: shiftInstant(updated_at, HOUR_MS) },
      created_from: {
        fits: shiftInstant(created_at, -2 * FILTER_MARGIN_MS),
        misses: shiftInstant(created_at, HOUR_MS),
      },
      // Later than the latest start, so that the interval isn't reversed (OPEN-142).
      created_to: {
        fits: shiftInstant(created_at, 2 * HOUR_MS),
        misses: shiftInstant(created_at, -FILTER_MARGIN_MS),
      },
      external_ref: { fits: external_ref, misses: newReference() },
      external_store_id: { fits: here, misses: there },
    };
    await waitUntilListed(api, sinceCreationOf(delivery, here), [delivery]);
    const { label } = elementSets["filter-pairs"];
    const all = { ...cases(label, FILTER_PAIRS, nameOfPair), set: "filter-pairs" } as const;
    await context.each(
      all,
      async (pair) => {
        const [one, other] = pair;
        const listWith = async (first: keyof Choice, second: keyof Choice) => {
          const query: ListQuery = {
            ...otherFilters(pair, here),
            [one]: choices[one][first],
            [other]: choices[other][second],
          };
          return [
            idsOf(await listDeliveries(api, query)),
            `the deliveries with ${JSON.stringify(query)}`,
          ] as const;
        };
        const [found, subject] = await listWith("fits", "fits");
        expectThat(subject, found).includes(delivery.id);
        for (const [first, second] of [
          ["fits", "misses"],
          ["misses", "fits"],
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
