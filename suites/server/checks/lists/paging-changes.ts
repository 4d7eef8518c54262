import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { COURIER_ACTIONS, type CourierActionBody } from "../../../core/control.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { expectFields } from "../../support/assertions.ts";
import { FAILURE_REASON } from "../../support/courier/courier.ts";
import {
  expectCursor,
  idsOf,
  isCursor,
  type ListQuery,
  readPages,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import {
  type ChangedDelivery,
  expectChangesListed,
  expectListed,
} from "../../support/lists/listed-deliveries.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";

type Delivery = Schemas["Delivery"];
type CourierAction = CourierActionBody["action"];

const CHANGE_COUNT = 3;

/**
 * Creates `count` deliveries, prepares them, creates `count` more, and waits until the list contains all of
 * them.
 * @returns the first `count` deliveries, the items of the page where they end, and queries for all and for
 * later pages
 */
async function createBeforeCursor(
  context: BaseContext,
  count: number,
  prepare: (delivery: Delivery, index: number) => Promise<void> = async () => {},
) {
  const created: Delivery[] = [];
  for (let i = 0; i < count; i += 1) created.push(await createDelivery(context));
  for (const [i, delivery] of created.entries()) await prepare(delivery, i);
  const [first, last] = [created[0], created.at(-1)];
  if (!first || !last) throw new Error("no delivery was created");
  const later: Delivery[] = [];
  for (let i = 0; i < count; i += 1) later.push(await createDelivery(context));
  const window = sinceCreationOf(first, (await context.store()).external_store_id);
  await waitUntilListed(context.api, window, [...created, ...later]);
  const query = { ...window, limit: count };
  const pages = await readPages(context.api, query);
  const page = pages.find(({ items }) => idsOf(items).includes(last.id));
  if (page === undefined) expectListed(pages, created, "deliveries expected before the cursor");
  expectCursor(page?.next_cursor);
  const followingPages = { ...query, since: String(page?.next_cursor ?? "") };
  return { created, window, followingPages, pageItems: page?.items ?? [] };
}

const deliveriesOf = (changed: readonly ChangedDelivery<Delivery>[]) =>
  changed.map(({ delivery }) => delivery);

/** Asserts that the pages after a cursor contain the deliveries in their current state. */
async function expectListedAgain(
  api: Api,
  {
    followingPages,
    pageItems,
  }: { readonly followingPages: ListQuery; readonly pageItems: readonly Delivery[] },
  current: readonly ChangedDelivery<Delivery>[],
): Promise<void> {
  const pages = await readPages(api, followingPages);
  const items = pages.flatMap((page) => page.items);
  expectChangesListed(pages, current, pageItems);
  for (const { delivery } of current) {
    const { id, version, status, notes, customer, cancelled_at, cancel_reason } = delivery;
    const item = items.findLast((listed) => listed.id === id);
    const changed = { status, notes, customer: { name: customer?.name }, cancelled_at, cancel_reason };
    expectFields(item, { id, ...changed }, "the item");
    expectThat("the item's version", item?.version).isAtLeast(version);
  }
}

const listedAgain = check({
  id: "paging.changed-after-the-cursor",
  title:
    "a delivery that changes or is cancelled after a cursor was returned is listed again after it, in its new state",
  clauses: [clause["LIST-7"]],
  isolation: "own-integrator",
  async run(context) {
    const { api } = context;
    const { created, window, ...cursor } = await createBeforeCursor(context, CHANGE_COUNT);
    const [first = "", second = "", third = ""] = idsOf(created);
    const current = [
      { change: "a PATCH of notes", delivery: await changeDelivery(api, first, { notes: "Arka kapı" }) },
      { change: "a cancellation", delivery: await cancelDelivery(api, second, "Müşteri vazgeçti") },
      {
        change: "a PATCH of customer.name",
        delivery: await changeDelivery(api, third, { customer: { name: "Fatma Demir" } }),
      },
    ];
    await waitUntilListed(api, window, deliveriesOf(current));
    await expectListedAgain(api, cursor, current);
    // The cursor of the last page remains valid (OPEN-136), so a delivery that changes later is listed after
    // the cursor.
    const pages = await readPages(api, cursor.followingPages);
    const lastPage = pages.findLast((page) => isCursor(page.next_cursor));
    const changedAgain = {
      change: "another PATCH of notes",
      delivery: await changeDelivery(api, first, { notes: "Yan kapı" }),
    };
    await waitUntilListed(api, window, deliveriesOf([changedAgain]));
    const followingPages = { ...cursor.followingPages, since: String(lastPage?.next_cursor ?? "") };
    await expectListedAgain(api, { followingPages, pageItems: lastPage?.items ?? [] }, [changedAgain]);
  },
});

/** The actions that every delivery goes through. An offer is optional (OPEN-202). */
const REQUIRED_ACTIONS = COURIER_ACTIONS.filter((action) => action !== "offered");

const afterCourierActions = check({
  id: "paging.moved-after-the-cursor",
  title:
    "a delivery with any courier action after a cursor was returned is listed again after it, in its new state",
  clauses: [clause["LIST-26"]],
  needs: ["courier"],
  isolation: "own-integrator",
  async run(context) {
    const { api, performCourierAction, performCourierActionsUpTo } = context;
    // Each action has its own delivery, because an earlier action would move a shared delivery in the list.
    const { created, window, ...cursor } = await createBeforeCursor(
      context,
      REQUIRED_ACTIONS.length,
      async ({ id }, i) => {
        const previous = REQUIRED_ACTIONS[i - 1];
        if (previous !== undefined) await performCourierActionsUpTo(id, previous);
      },
    );
    const current: ChangedDelivery<Delivery>[] = [];
    for (const [i, action] of REQUIRED_ACTIONS.entries()) {
      const id = created[i]?.id ?? "";
      // The target may require an offer before an assignment (OPEN-202).
      if (action === "assigned") await performCourierActionsUpTo(id, action);
      else if (!(await performCourierAction(id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      current.push({ change: `the courier action ${action}`, delivery: await readDelivery(api, id) });
    }
    await waitUntilListed(api, window, deliveriesOf(current));
    await expectListedAgain(api, cursor, current);
  },
});

interface End extends Pick<Check, "id" | "title" | "clauses"> {
  /** Each of these actions ends with its own delivery, which has passed the earlier ones before the cursor. */
  readonly actions: readonly CourierAction[];
}

const afterAnEnd = ({ actions, ...declared }: End): Check =>
  check({
    ...declared,
    needs: ["courier"],
    isolation: "own-integrator",
    async run(context) {
      const { api } = context;
      const perform = async (id: string, action: CourierAction) => {
        if (!(await context.performCourierAction(id, action, { reason: FAILURE_REASON })))
          throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      };
      const { created, window, ...cursor } = await createBeforeCursor(
        context,
        actions.length,
        async ({ id }, i) => {
          await context.performCourierActionsUpTo(id, "arrived");
          for (const action of actions.slice(0, i)) await perform(id, action);
        },
      );
      const current: ChangedDelivery<Delivery>[] = [];
      for (const [i, action] of actions.entries()) {
        const id = created[i]?.id ?? "";
        await perform(id, action);
        current.push({ change: `the courier action ${action}`, delivery: await readDelivery(api, id) });
      }
      await waitUntilListed(api, window, deliveriesOf(current));
      await expectListedAgain(api, cursor, current);
    },
  });

const afterAFailure = afterAnEnd({
  id: "paging.failed-after-the-cursor",
  title: "a delivery that fails after a cursor was returned is listed again after it",
  clauses: [clause["LIST-36"]],
  actions: ["failed"],
});

const afterAReturn = afterAnEnd({
  id: "paging.returned-after-the-cursor",
  title: "a delivery whose return begins or ends after a cursor was returned is listed again after it",
  clauses: [clause["LIST-37"]],
  actions: ["returning", "returned"],
});

export const pagingChangesChecks: readonly Check[] = [
  listedAgain,
  afterCourierActions,
  afterAFailure,
  afterAReturn,
];
