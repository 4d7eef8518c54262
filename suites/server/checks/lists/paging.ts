import { expect } from "vitest";
import type { Schemas } from "../../../core/document.ts";
import type { BaseContext } from "../../check.ts";
import type { Api } from "../../session/api.ts";
import { documentedDelivery } from "../../session/documented.ts";
import { expectShown } from "../../support/assertions.ts";
import { cancelled, changed, isSteady, opened, openedNowhere, read } from "../../support/deliveries.ts";
import {
  idsOf,
  type ListQuery,
  listed,
  pages,
  sinceOpeningOf,
  untilShown,
} from "../../support/delivery-list.ts";
import { type Check, check } from "../define.ts";

type Delivery = Schemas["Delivery"];

const shape = check({
  id: "paging.shape",
  title: "a page is an object with items, next_cursor and has_more, which is true while more follows",
  clauses: ["LIST-1", "LIST-3"],
  mutants: ["has-more-is-always-false", "has-more-is-text", "list-without-a-cursor"],
  async run(context) {
    const { api, store } = context;
    const first = await opened(context);
    const second = await opened(context);
    const window = sinceOpeningOf(first, (await store()).external_store_id);
    await untilShown(api, window, [first, second]);
    const page = (await api.listDeliveries({ ...window, limit: 1 })).body(200);
    expect(page.items, "items").toBeInstanceOf(Array);
    expect(page.has_more, "has_more where a second one follows").toBe(true);
    expect(page.next_cursor, "next_cursor where more follows").toEqual(expect.any(String));
    const last = (await pages(api, { external_ref: first.external_ref })).at(-1);
    expect(last?.has_more, "has_more where nothing follows").toBe(false);
    expect(typeof (last?.next_cursor ?? ""), "type of next_cursor, where there is one").toBe("string");
  },
});

const inFull = check({
  id: "paging.items-in-full",
  title: "each item of the list is the Delivery in full, as reading it by id shows it",
  clauses: ["LIST-2"],
  mutants: ["list-items-are-summaries", "list-items-hide-the-pin"],
  async run(context) {
    const { api } = context;
    const { id, external_ref } = await opened(context, {
      notes: "Zili çalmayın",
      require_pin: true,
      package_count: 3,
    });
    const delivery = await changed(api, id, { customer: { phone_extension: "4711" } });
    await untilShown(api, { external_ref }, [delivery]);
    const [item] = await listed(api, { external_ref });
    const filled = documentedDelivery(delivery);
    const steady = Object.fromEntries(Object.entries(filled).filter(([key]) => isSteady(key)));
    expectShown(item, steady, "the item");
    expect(Object.keys(item ?? {}), "the item's keys").toEqual(expect.arrayContaining(Object.keys(filled)));
  },
});

const withCourier = check({
  id: "paging.items-with-the-courier",
  title: "an item of the list has the courier that reading it by id shows",
  clauses: ["LIST-28"],
  needs: ["courier"],
  mutants: ["list-items-without-courier"],
  async run(context) {
    const { api } = context;
    const { id, external_ref } = await opened(context);
    await context.bring(id, "assigned");
    const delivery = await read(api, id);
    await untilShown(api, { external_ref }, [delivery]);
    const [item] = await listed(api, { external_ref });
    expect(delivery.courier?.name ?? null, "courier.name, read by id").not.toBeNull();
    expect(item?.courier?.name, "courier.name of the item").toBe(delivery.courier?.name);
  },
});

const exactPage = check({
  id: "paging.last-page-exactly-full",
  title: "has_more is false on a last page that is exactly full",
  clauses: ["LIST-24"],
  mutants: ["has-more-on-an-exact-page"],
  async run(context) {
    const { api } = context;
    const delivery = await opened(context);
    const { id, external_ref } = delivery;
    await untilShown(api, { external_ref }, [delivery]);
    for (const limit of [1, 2]) {
      const found = await pages(api, { external_ref, limit });
      const page = found.find(({ items }) => items.length > 0);
      expect(idsOf(page?.items ?? []), `the only page with limit ${limit} that has any`).toEqual([id]);
      expect(page?.has_more, `has_more of that page with limit ${limit}`).toBe(false);
    }
  },
});

const ends = check({
  id: "paging.ends",
  title: "whoever follows next_cursor comes to a page whose has_more is false",
  clauses: ["LIST-5"],
  mutants: ["has-more-is-always-true", "cursor-repeats-its-last-item"],
  async run(context) {
    const { api, store } = context;
    const first = await opened(context);
    const second = await opened(context);
    const window = sinceOpeningOf(first, (await store()).external_store_id);
    await untilShown(api, window, [first, second]);
    // An empty page at the end is as good as none (OPEN-137).
    for (const query of [{ external_ref: first.external_ref }, window]) {
      const found = await pages(api, { ...query, limit: 1 });
      const ids = idsOf(found.flatMap(({ items }) => items));
      expect(ids, "the deliveries on all pages").toContain(first.id);
      expect(found.at(-1)?.has_more, "has_more of the last page").toBe(false);
    }
  },
});

const limitOfOne = check({
  id: "paging.limit",
  title: "a page has at most limit items; a limit of 1 is taken",
  clauses: ["LIST-9", "LIST-10"],
  mutants: ["page-has-one-too-many", "limit-of-1-is-refused"],
  async run(context) {
    const { api, store } = context;
    const made: Delivery[] = [];
    for (let i = 0; i < 4; i += 1) made.push(await opened(context));
    const [first] = made;
    if (!first) throw new Error("nothing was opened");
    const window = sinceOpeningOf(first, (await store()).external_store_id);
    await untilShown(api, window, made);
    for (const limit of [1, 2, 3]) {
      const { items } = (await api.listDeliveries({ ...window, limit })).body(200);
      expect(items.length, `items of a page with limit ${limit}`).toBeLessThanOrEqual(limit);
    }
  },
});

/** Pages of this size, and twice as many deliveries: more follows on each page with one of the first half. */
const HALF = 3;

/** Opens a few deliveries of an identity's own, oldest first, and waits until the list shows them. */
async function severalOpened(context: BaseContext) {
  const made: Delivery[] = [];
  for (let i = 0; i < 2 * HALF; i += 1) made.push(await opened(context));
  const [first, second, third] = made;
  if (!first || !second || !third) throw new Error("nothing was opened");
  const window = sinceOpeningOf(first, (await context.store()).external_store_id);
  await untilShown(context.api, window, made);
  const query = { ...window, limit: HALF };
  const page = (await pages(context.api, query)).find(({ items }) => idsOf(items).includes(third.id));
  expect(page?.next_cursor, "next_cursor of a page that isn't the last").toEqual(expect.any(String));
  return { first, second, third, window, after: { ...query, since: page?.next_cursor ?? "" } };
}

/** Asserts that the pages after a cursor hold deliveries as they are now. */
async function expectMetAgain(api: Api, after: ListQuery, now: readonly Delivery[]): Promise<void> {
  const items = (await pages(api, after)).flatMap((page) => page.items);
  for (const { id, version, status, notes, customer } of now) {
    const item = items.findLast((one) => one.id === id);
    expect(item, `the delivery of version ${version} after the cursor`).toBeDefined();
    expectShown(item, { id, status, notes, customer: { name: customer?.name } }, "the item");
    expect(item?.version, "the item's version").toBeGreaterThanOrEqual(version);
  }
}

const metAgain = check({
  id: "paging.changed-after-the-cursor",
  title:
    "a delivery that is changed or cancelled after a cursor was given comes again after it, in its new state",
  clauses: ["LIST-7"],
  alone: "identity",
  mutants: [
    "cancellation-keeps-its-place",
    "change-keeps-its-place",
    "customer-change-keeps-its-place",
    "list-in-order-of-creation",
    "list-shows-the-version-before",
  ],
  async run(context) {
    const { api } = context;
    const { first, second, third, window, after } = await severalOpened(context);
    const now = [
      await changed(api, first.id, { notes: "Arka kapı" }),
      await cancelled(api, second.id, "Müşteri vazgeçti"),
      await changed(api, third.id, { customer: { name: "Fatma Demir" } }),
    ];
    await untilShown(api, window, now);
    await expectMetAgain(api, after, now);
  },
});

const movedOn = check({
  id: "paging.moved-after-the-cursor",
  title: "a delivery that a courier moves after a cursor was given comes again after it, in its new state",
  clauses: ["LIST-26"],
  needs: ["courier"],
  alone: "identity",
  mutants: ["courier-moves-keep-their-place"],
  async run(context) {
    const { api, bring } = context;
    const { first, second, third, window, after } = await severalOpened(context);
    await bring(first.id, "assigned");
    await bring(second.id, "picked_up");
    await bring(third.id, "delivered");
    const now = [await read(api, first.id), await read(api, second.id), await read(api, third.id)];
    await untilShown(api, window, now);
    await expectMetAgain(api, after, now);
  },
});

const garbage = check({
  id: "paging.malformed-cursor",
  title: "a cursor that can't be decoded is refused with IMLEC_GECERSIZ",
  clauses: ["LIST-8", "ERR-12"],
  mutants: ["malformed-cursor-starts-over", "malformed-cursor-is-dogrulama"],
  async run(context) {
    const { api, store } = context;
    const first = await opened(context);
    const second = await opened(context);
    const query = { ...sinceOpeningOf(first, (await store()).external_store_id), limit: 1 };
    await untilShown(api, { ...query, limit: 200 }, [first, second]);
    for (const malformed of ["bu-bir-imlec-degil", "%%%", "🙂"]) {
      const refused = await api.violate("listDeliveries", "no cursor", {
        query: { ...query, since: malformed },
      });
      refused.refused(400, "IMLEC_GECERSIZ");
    }
    // The twin: a cursor that the list gave.
    const cursor = (await api.listDeliveries(query)).body(200).next_cursor ?? "";
    (await api.listDeliveries({ ...query, since: cursor })).body(200);
  },
});

/** The specification's page sizes: the default, and the largest. */
const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 200;
const AT_ONCE = 20;

const largePages = check({
  id: "paging.page-sizes",
  title: "a page has 100 items without a limit, 200 are taken as one, and no page has more",
  clauses: ["LIST-11", "LIST-12", "LIMIT-15"],
  alone: "identity",
  mutants: [
    "page-of-50-by-default",
    "page-of-200-by-default",
    "limit-beyond-200-is-taken",
    "limit-of-200-is-refused",
  ],
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    // Others' pages shall not have to pass all these deliveries.
    context.spoilsIdentity();
    const first = await openedNowhere(context);
    let last = first;
    // One more than the largest page; without coordinates, so that no courier is troubled.
    for (let made = 1; made <= LARGEST_PAGE; made += AT_ONCE) {
      const some = await Promise.all(Array.from({ length: AT_ONCE }, () => openedNowhere(context)));
      last = some.at(-1) ?? last;
    }
    const window = sinceOpeningOf(first, external_store_id);
    await untilShown(api, window, [first, last]);
    const byDefault = (await api.listDeliveries(window)).body(200);
    expect(byDefault.items.length, "items of a page without a limit").toBe(DEFAULT_PAGE);
    const largest = (await api.listDeliveries({ ...window, limit: LARGEST_PAGE })).body(200);
    expect(largest.items.length, "items of a page with limit 200").toBeLessThanOrEqual(LARGEST_PAGE);
    for (const limit of [LARGEST_PAGE + 1, 1000]) {
      // Refused or cut: which is open (OPEN-135).
      const answer = await api.violate("listDeliveries", "a limit above 200", {
        query: { ...window, limit },
      });
      const items = answer.hasStatus(200, 400).status === 200 ? answer.body(200).items : [];
      expect(items.length, `items of a page with limit ${limit}`).toBeLessThanOrEqual(LARGEST_PAGE);
    }
  },
});

/** The list of changed deliveries, page by page; `models/` holds what is true of any sequence of changes. */
export const paging: readonly Check[] = [
  shape,
  inFull,
  withCourier,
  exactPage,
  ends,
  limitOfOne,
  metAgain,
  movedOn,
  garbage,
  largePages,
];
