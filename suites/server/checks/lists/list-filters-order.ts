import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import {
  expectOldestFirst,
  FILTER_MARGIN_MS,
  idsOf,
  type ListQuery,
  listOnceShown,
  readPages,
  shiftInstant,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;

const order = check({
  id: "list-filters.order",
  title: "a list with any filter is in the order of the last change, not in that of the creation",
  clauses: [clause["LIST-31"]],
  needs: ["pairing"],
  isolation: "own-integrator",
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

const readAgain = check({
  id: "list-filters.read-again",
  title: "a list with any filter that is read before and after a change shows the change",
  clauses: [clause["LIST-32"]],
  async run(context) {
    const { api, each, now } = context;
    // The delivery is scheduled for another day, so its status stays.
    const created = await createDelivery(context, { scheduled_for: isoInstant(now() + 30 * HOUR_MS) });
    const from = shiftInstant(created.created_at, -FILTER_MARGIN_MS);
    const { external_store_id } = await context.store();
    const window = { created_from: from };
    const queries: Readonly<Record<ElementOf<"filters-of-the-list">, ListQuery>> = {
      status: { ...window, status: created.status },
      from: { from },
      created_from: window,
      created_to: { ...window, created_to: isoInstant(now() + HOUR_MS) },
      external_ref: { external_ref: created.external_ref },
      external_store_id: { ...window, external_store_id },
    };
    const read = async (delivery: Delivery) => {
      const names = elementsOf("filters-of-the-list");
      const lists = await Promise.all(names.map((name) => listOnceShown(api, queries[name], [delivery])));
      return new Map(names.map((name, index) => [name, lists[index] ?? []]));
    };
    await read(created);
    const changed = await changeDelivery(api, created.id, { notes: "Zile basmayın" });
    const lists = await read(changed);
    await each(ofSet("filters-of-the-list"), (name) => {
      const listed = lists.get(name) ?? [];
      expectThat(`the deliveries with ${JSON.stringify(queries[name])}`, idsOf(listed)).includes(changed.id);
      const item = listed.find(({ id }) => id === changed.id);
      const where = `in a list with ${name} that was also read before the change`;
      expectThat({ field: "notes", where }, item?.notes).is(changed.notes);
    });
  },
});

export const orderOfFiltersChecks: readonly Check[] = [order, readAgain];
