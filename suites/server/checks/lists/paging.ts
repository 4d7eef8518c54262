import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { documentedDelivery } from "../../session/http/documented.ts";
import {
  dishName,
  newReference,
  randomBetween,
  streetAddress,
} from "../../session/sample-data/sample-data.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  expectCursor,
  expectOldestFirst,
  idsOf,
  isCursor,
  listOnceShown,
  readPages,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { expectListedAsRead } from "../../support/lists/listed-as-read.ts";
import { ENDED_EARLY, expectListed } from "../../support/lists/listed-deliveries.ts";
import {
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  isStableField,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { fullOrder } from "../../support/orders/other-bodies.ts";
import { pagingChangesChecks } from "./paging-changes.ts";
import { pagingEarlierChangesChecks } from "./paging-earlier-changes.ts";

type Delivery = Schemas["Delivery"];

/** Asserts that has_more is true on a page that others follow. */
function expectMore({ has_more }: { readonly has_more: unknown }, where: string): void {
  // Only a boolean ends reading early.
  const fault = has_more === false ? { fault: ENDED_EARLY } : {};
  expectThat({ field: "has_more", where: `of ${where}` }, has_more, fault).is(true);
}

const shape = check({
  id: "paging.shape",
  smokeTestOf: "listDeliveries",
  title: "a page is an object with items, next_cursor and has_more, which is true if another page follows",
  clauses: [clause["LIST-1"], clause["LIST-3"]],
  async run(context) {
    const { api, store } = context;
    const first = await createDelivery(context);
    const second = await createDelivery(context);
    const window = sinceCreationOf(first, (await store()).external_store_id);
    await waitUntilListed(api, window, [first, second]);
    const page = (await api.listDeliveries({ ...window, limit: 1 })).body(200);
    context.attributeTo(clause["LIST-1"]);
    expectThat("items", page.items).isList();
    expectCursor(page.next_cursor);
    context.attributeTo(clause["LIST-3"]);
    expectMore(page, "a page before the last");
    const last = (await readPages(api, { external_ref: first.external_ref })).at(-1);
    expectThat({ field: "has_more", where: "of the last page" }, last?.has_more).is(false);
    context.attributeTo(clause["LIST-1"]);
    const end = last?.next_cursor ?? null;
    expectThat({ field: "next_cursor", where: "of the last page" }, end).satisfies(
      "text, a number or null",
      end === null || isCursor(end),
    );
  },
});

/** More items than a server would keep in a shortened form of a delivery. */
const ITEM_COUNT = 30;

const completeItems = check({
  id: "paging.items-in-full",
  title: "each item of the list is the complete delivery, as returned by GET, also after a change",
  clauses: [clause["LIST-2"]],
  async run(context) {
    const { api, now, point } = context;
    const plain = await context.order();
    const sums = { subtotal: 95.35, discount: 10.35, amount_due: 85 };
    const body = {
      ...fullOrder(plain, now()),
      payment: { ...plain.payment, ...sums },
      items: Array.from({ length: ITEM_COUNT }, () => ({ name: dishName(), quantity: 1, total: 85 })),
    };
    const unchanged = await createDelivery(context, body);
    const { id } = await createDelivery(context, { ...body, external_ref: newReference() });
    const deliveries = {
      "an unchanged delivery": unchanged,
      "a changed delivery": await changeDelivery(api, id, {
        customer: { phone_extension: "4711" },
        dropoff: { text: streetAddress(), ...near(point, 2) },
        notes: "Arka kapıya gelin",
      }),
    };
    await context.each(casesFrom("deliveries", deliveries), async ([, { id, external_ref, version }]) => {
      const delivery = await readDelivery(api, id);
      const listed = await listOnceShown(api, { external_ref }, [{ ...delivery, version }]);
      const item = listed.find((one) => one.id === id);
      const filled = documentedDelivery(delivery);
      const stableFields = Object.fromEntries(Object.entries(filled).filter(([key]) => isStableField(key)));
      expectFields(item, stableFields, "the item");
      expectThat(
        "missing fields of the item",
        Object.keys(filled).filter((name) => !Object.hasOwn(item ?? {}, name)),
      ).isEmpty();
    });
  },
});

const withCourier = check({
  id: "paging.items-with-the-courier",
  title: "an item of the list has the same courier, and position, as the delivery returned by GET",
  clauses: [clause["LIST-28"]],
  needs: ["courier"],
  async run(context) {
    const { api } = context;
    const { id, external_ref } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "en_route", { location: near(context.point, 2) });
    // A service that takes no positions refuses this one, and shows the same courier too.
    await context.performCourierAction(id, "courier_location", { location: near(context.point, 4) });
    const delivery = await readDelivery(api, id);
    const [item] = await listOnceShown(api, { external_ref }, [delivery]);
    expectThat("courier.name returned by GET", delivery.courier?.name ?? null).isNot(null);
    expectFields(item, { courier: { name: delivery.courier?.name } }, "the item");
    await expectListedAsRead(api, delivery, "after a position");
  },
});

const limitsOf = (limits: readonly number[]) => cases("limits", limits, (limit) => `limit=${limit}`);

const exactPage = check({
  id: "paging.last-page-exactly-full",
  title: "has_more is false on a last page with exactly limit items",
  clauses: [clause["LIST-24"]],
  async run(context) {
    const { api } = context;
    const delivery = await createDelivery(context);
    const { id, external_ref } = delivery;
    await waitUntilListed(api, { external_ref }, [delivery]);
    await context.each(limitsOf([1, 2]), async (limit) => {
      const found = await readPages(api, { external_ref, limit });
      const page = found.find(({ items }) => items.length > 0);
      expectThat(
        { field: "items", where: `of the only page with limit ${limit}` },
        idsOf(page?.items ?? []),
      ).is([id]);
      expectThat({ field: "has_more", where: `of the only page with limit ${limit}` }, page?.has_more).is(
        false,
      );
    });
  },
});

const limitOfOne = check({
  id: "paging.limit",
  title:
    "each page has at most limit items, a limit of 1 is accepted, and has_more is true before the last page and false on it",
  clauses: [clause["LIST-3"], clause["LIST-5"], clause["LIST-9"], clause["LIST-10"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, store } = context;
    const created: Delivery[] = [];
    for (let i = 0; i < 4; i += 1) created.push(await createDelivery(context));
    const [first] = created;
    if (!first) throw new Error("no delivery was created");
    const window = sinceCreationOf(first, (await store()).external_store_id);
    context.attributeTo(clause["LIST-5"]);
    const listed = await listOnceShown(api, window, created);
    await context.each(limitsOf([1, 2, 3]), async (limit) => {
      let cursor = {};
      for (const place of ["the first", "the second"]) {
        context.attributeTo(limit === 1 ? clause["LIST-10"] : clause["LIST-9"]);
        const { items, next_cursor } = (await api.listDeliveries({ ...window, limit, ...cursor })).body(200);
        context.attributeTo(clause["LIST-9"]);
        expectThat({ field: "items", where: `of ${place} page with limit ${limit}` }, items.length).isAtMost(
          limit,
        );
        cursor = isCursor(next_cursor) ? { since: String(next_cursor) } : {};
      }
    });
    context.attributeTo(clause["LIST-3"]);
    const limit = Math.max(1, listed.length - 1);
    const page = (await api.listDeliveries({ ...window, limit })).body(200);
    expectMore(page, `a page with limit ${limit} of ${listed.length} deliveries`);
    context.attributeTo(clause["LIST-5"]);
    // The last page may be empty (OPEN-136).
    const queries = {
      "deliveries with one order number": { external_ref: first.external_ref },
      "deliveries of a time range": window,
    };
    await context.each(casesFrom("lists", queries), async ([, query]) => {
      const found = await readPages(api, { ...query, limit: 1 });
      expectThat({ field: "has_more", where: "of the last page" }, found.at(-1)?.has_more).is(false);
    });
  },
});

const anotherToken = check({
  id: "paging.another-token",
  title: "a cursor continues the list under another token of the same integrator",
  clauses: [clause["LIST-4"]],
  // A target may revoke the older token when it issues a new one (OPEN-100).
  isolation: "own-integrator",
  async run(context) {
    const { api, store } = context;
    const created = [await createUnlocatedDelivery(context), await createUnlocatedDelivery(context)];
    const [first] = created;
    if (!first) throw new Error("no delivery was created");
    const window = sinceCreationOf(first, (await store()).external_store_id);
    await waitUntilListed(api, window, created);
    const page = (await api.listDeliveries({ ...window, limit: 1 })).body(200);
    expectCursor(page.next_cursor);
    const query = { ...window, since: String(page.next_cursor ?? "") };
    const token = await context.anotherToken();
    const rest = (await api.listDeliveries(query, { token })).body(200);
    expectListed([page, rest], created, "deliveries of two pages");
  },
});

const damagedForms = (cursor: string) => {
  const middle = Math.ceil(cursor.length / 2);
  return {
    "without its end": cursor.slice(0, middle),
    "without its last character": cursor.slice(0, -1) || cursor,
    "without its beginning": cursor.slice(-middle),
    "with another character in the middle": `${cursor.slice(0, middle - 1)}x${cursor.slice(middle)}`,
    "with another character at the end": `${cursor}x`,
  };
};

const malformedCursor = check({
  id: "paging.malformed-cursor",
  title: "a cursor that can't be decoded is refused with IMLEC_GECERSIZ, also if it is damaged",
  clauses: [clause["LIST-8"], clause["ERR-12"]],
  async run(context) {
    const { api, store } = context;
    const first = await createDelivery(context);
    const second = await createDelivery(context);
    const query = { ...sinceCreationOf(first, (await store()).external_store_id), limit: 1 };
    await waitUntilListed(api, { ...query, limit: 200 }, [first, second]);
    await context.each(cases("malformed cursors", ["bu-bir-imlec-degil", "%%%", "🙂"]), async (malformed) => {
      const refused = await api.sendInvalid("listDeliveries", "a since that is no cursor", {
        query: { ...query, since: malformed },
      });
      refused.expectError(400, "IMLEC_GECERSIZ");
    });
    // Positive control: the list accepts its own cursor.
    const cursor = String((await api.listDeliveries(query)).body(200).next_cursor ?? "");
    (await api.listDeliveries({ ...query, since: cursor })).body(200);
    await context.each(casesFrom("damaged cursors", damagedForms(cursor)), async ([damage, since]) => {
      const response = await api.sendInvalid("listDeliveries", `a since that is a cursor ${damage}`, {
        query: { ...query, since },
      });
      // Some damage is invisible, for example if a cursor is a number.
      if (response.expectStatus(200, 400).status === 400) response.expectError(400, "IMLEC_GECERSIZ");
    });
  },
});

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;
/** With this many concurrent creations, some deliveries usually get equal updated_at. */
const CONCURRENT_CREATIONS = 40;
/** Limits other than 9 are at least this large, because small ones need many pages. */
const MIN_LARGE_LIMIT = 20;

/** The largest limit with which a page ends between two items with equal updated_at. */
const limitBetweenEqualTimes = (items: readonly Delivery[]): number | undefined =>
  items
    .map((_, index) => index)
    .findLast(
      (index) => index >= MIN_LARGE_LIMIT && items[index]?.updated_at === items[index - 1]?.updated_at,
    );

/**
 * A small limit, so that some pages end between deliveries with equal updated_at, a large limit with which a page
 * certainly does, or a random one if no two are equal, and the maximum: a server that reads one row more than the limit
 * may not get it there.
 */
const smallAndLargeLimits = (items: readonly Delivery[]) => ({
  "limit=9": 9,
  "a large limit": limitBetweenEqualTimes(items) ?? Math.round(randomBetween(101, 199)),
  "limit=200": MAX_LIMIT,
});

const largePages = check({
  id: "paging.page-sizes",
  title:
    "limit is 100 by default and at most 200, and pages of any limit return all concurrently created deliveries",
  clauses: [clause["LIST-4"], clause["LIST-6"], clause["LIST-11"], clause["LIST-12"], clause["LIMIT-15"]],
  // Other checks would page through these deliveries.
  isolation: "runs-last",
  exhaustsRateLimit: "nearly",
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    const first = await createUnlocatedDelivery(context);
    const created = [first];
    // More deliveries than fit on a page. They have no coordinates, so that no courier is assigned.
    while (created.length <= MAX_LIMIT) {
      created.push(
        ...(await Promise.all(
          Array.from({ length: CONCURRENT_CREATIONS }, () => createUnlocatedDelivery(context)),
        )),
      );
    }
    const window = sinceCreationOf(first, external_store_id);
    context.attributeTo(clause["LIMIT-15"]);
    await waitUntilListed(api, window, created);
    context.attributeTo(clause["LIST-11"]);
    // A page may be shorter than its limit (OPEN-136), but a page with limit 100 has as many entries as one
    // without a limit.
    const byDefault = (await api.listDeliveries(window)).body(200);
    const withLimit = (await api.listDeliveries({ ...window, limit: DEFAULT_LIMIT })).body(200);
    expectThat(
      { field: "items", where: `of a page with limit ${DEFAULT_LIMIT}` },
      withLimit.items.length,
    ).isAtMost(DEFAULT_LIMIT);
    expectThat({ field: "items", where: "of a page without a limit" }, byDefault.items.length).isAtMost(
      DEFAULT_LIMIT,
    );
    const since = isCursor(byDefault.next_cursor) ? { since: String(byDefault.next_cursor) } : {};
    const second = (await api.listDeliveries({ ...window, ...since })).body(200);
    expectThat({ field: "items", where: "of the second page without a limit" }, second.items.length).isAtMost(
      DEFAULT_LIMIT,
    );
    context.attributeTo(clause["LIST-12"]);
    expectThat({ field: "items", where: "of a page without a limit" }, byDefault.items.length).is(
      withLimit.items.length,
    );
    context.attributeTo(clause["LIMIT-15"]);
    const largest = (await api.listDeliveries({ ...window, limit: MAX_LIMIT })).body(200);
    expectThat({ field: "items", where: "of a page with limit 200" }, largest.items.length).isAtMost(
      MAX_LIMIT,
    );
    context.attributeTo(clause["LIST-6"]);
    expectOldestFirst(largest.items, { ...window, limit: MAX_LIMIT });
    context.attributeTo(clause["LIMIT-15"]);
    await context.each(limitsOf([MAX_LIMIT + 1, 1000]), async (limit) => {
      // Whether the server refuses or clamps the limit is unspecified (OPEN-135).
      const response = await api.sendInvalid("listDeliveries", "a limit above 200", {
        query: { ...window, limit },
      });
      const items = response.expectStatus(200, 400).status === 200 ? response.body(200).items : [];
      expectThat({ field: "items", where: `of a page with limit ${limit}` }, items.length).isAtMost(
        MAX_LIMIT,
      );
    });
    context.attributeTo(clause["LIST-4"]);
    // A cursor must distinguish deliveries with equal updated_at, in whatever order they are listed (OPEN-144).
    await context.each(
      casesFrom("limits", smallAndLargeLimits(largest.items)),
      async ([, limit]) => {
        expectListed(await readPages(api, { ...window, limit }), created, "concurrently created deliveries");
      },
      { concurrency: 2 },
    );
  },
});

export const pagingChecks: readonly Check[] = [
  shape,
  completeItems,
  withCourier,
  exactPage,
  limitOfOne,
  ...pagingChangesChecks,
  ...pagingEarlierChangesChecks,
  anotherToken,
  malformedCursor,
  largePages,
];
