import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { BaseContext } from "../../check.ts";
import type { Api } from "../../session/api.ts";
import { expectToShow } from "../../support/assertions.ts";
import { cancelDelivery, changeDelivery, openDelivery, readDelivery } from "../../support/deliveries.ts";
import {
  idsOf,
  isCursor,
  type ListQuery,
  readPages,
  sinceOpeningOf,
  waitUntilListed,
} from "../../support/delivery-list.ts";
import { type Check, check } from "../define.ts";

type Delivery = Schemas["Delivery"];

/** Pages of this size, and twice as many deliveries: more follows on each page with one of the first half. */
const HALF = 3;

/** Opens a few deliveries of an identity's own, oldest first, and waits until the list shows them. */
async function severalOpened(context: BaseContext) {
  const made: Delivery[] = [];
  for (let i = 0; i < 2 * HALF; i += 1) made.push(await openDelivery(context));
  const [first, second, third] = made;
  if (!first || !second || !third) throw new Error("nothing was opened");
  const window = sinceOpeningOf(first, (await context.store()).external_store_id);
  await waitUntilListed(context.api, window, made);
  const query = { ...window, limit: HALF };
  const page = (await readPages(context.api, query)).find(({ items }) => idsOf(items).includes(third.id));
  expect(isCursor(page?.next_cursor), "that a page that isn't the last has a next_cursor").toBe(true);
  return { first, second, third, window, after: { ...query, since: String(page?.next_cursor ?? "") } };
}

/** Asserts that the pages after a cursor hold deliveries as they are now. */
async function expectMetAgain(api: Api, after: ListQuery, now: readonly Delivery[]): Promise<void> {
  const items = (await readPages(api, after)).flatMap((page) => page.items);
  for (const { id, version, status, notes, customer } of now) {
    const item = items.findLast((one) => one.id === id);
    expect(item, `the delivery of version ${version} after the cursor`).toBeDefined();
    expectToShow(item, { id, status, notes, customer: { name: customer?.name } }, "the item");
    expect(item?.version, "the item's version").toBeGreaterThanOrEqual(version);
  }
}

const metAgain = check({
  id: "paging.changed-after-the-cursor",
  title:
    "a delivery that is changed or cancelled after a cursor was given comes again after it, in its new state",
  clauses: [clause["LIST-7"]],
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
      await changeDelivery(api, first.id, { notes: "Arka kapı" }),
      await cancelDelivery(api, second.id, "Müşteri vazgeçti"),
      await changeDelivery(api, third.id, { customer: { name: "Fatma Demir" } }),
    ];
    await waitUntilListed(api, window, now);
    await expectMetAgain(api, after, now);
  },
});

const movedOn = check({
  id: "paging.moved-after-the-cursor",
  title: "a delivery that a courier moves after a cursor was given comes again after it, in its new state",
  clauses: [clause["LIST-26"]],
  needs: ["courier"],
  alone: "identity",
  mutants: ["courier-moves-keep-their-place"],
  async run(context) {
    const { api, moveCourierTo } = context;
    const { first, second, third, window, after } = await severalOpened(context);
    await moveCourierTo(first.id, "assigned");
    await moveCourierTo(second.id, "picked_up");
    await moveCourierTo(third.id, "delivered");
    const now = [
      await readDelivery(api, first.id),
      await readDelivery(api, second.id),
      await readDelivery(api, third.id),
    ];
    await waitUntilListed(api, window, now);
    await expectMetAgain(api, after, now);
  },
});

/** What changes after a cursor was given. */
export const pagingChangesChecks: readonly Check[] = [metAgain, movedOn];
