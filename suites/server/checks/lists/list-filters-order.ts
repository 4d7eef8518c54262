import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import {
  expectOldestFirst,
  FILTER_MARGIN_MS,
  idsOf,
  type ListQuery,
  readPages,
  shiftInstant,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { type Check, check } from "../define.ts";

const HOUR_MS = 3_600_000;

const order = check({
  id: "list-filters.order",
  title: "a list with any filter is in the order of the last change, not in that of the creation",
  clauses: [clause["LIST-31"]],
  needs: ["pairing"],
  isolation: "own-integrator",
  mutants: [
    "list-in-order-of-creation",
    ...elementsOf("filters-of-the-list").map((name) => `list-with-${name}-in-order-of-creation` as const),
  ],
  async run(context) {
    const { api, each, now, store, anotherStore } = context;
    const [{ external_store_id }, { external_store_id: otherStoreId }] = [
      await store(),
      await anotherStore(),
    ];
    const external_ref = newReference();
    // The deliveries are scheduled for another day, so only this check changes them.
    const scheduled_for = isoInstant(now() + 30 * HOUR_MS);
    const createAt = (id: string, reference = newReference()) =>
      createDelivery(context, { external_ref: reference, store: { external_store_id: id }, scheduled_for });
    const first = await createAt(external_store_id, external_ref);
    const second = await createAt(otherStoreId, external_ref);
    const third = await createAt(external_store_id);
    // The delivery that was created first is changed last.
    const changed = await changeDelivery(api, first.id, { notes: "Zile basmayın" });
    const from = shiftInstant(first.created_at, -FILTER_MARGIN_MS);
    // Without created_from, some filters could match years of deliveries.
    const window = { created_from: from };
    const queries: Readonly<Record<ElementOf<"filters-of-the-list">, ListQuery>> = {
      status: { ...window, status: changed.status },
      from: { from },
      created_from: window,
      created_to: { ...window, created_to: shiftInstant(third.created_at, HOUR_MS) },
      external_ref: { external_ref },
      external_store_id: { ...window, external_store_id },
    };
    await each(ofSet("filters-of-the-list"), async (name) => {
      const query = { ...queries[name], limit: 200 };
      const earlier = name === "external_ref" ? second : third;
      await waitUntilListed(api, query, [earlier, changed]);
      const pages = await readPages(api, query);
      const found = pages.flatMap(({ items }) => idsOf(items));
      expectThat(`the deliveries with ${JSON.stringify(query)}`, found).includes(changed.id);
      // A page may repeat deliveries of the previous page.
      for (const { items } of pages) expectOldestFirst(items, query);
    });
  },
});

export const orderOfFiltersChecks: readonly Check[] = [order];
