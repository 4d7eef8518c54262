import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { newReference, streetAddress } from "../../session/sample-data/sample-data.ts";
import {
  expectFound,
  idsOf,
  type ListQuery,
  listDeliveries,
  listOnceShown,
  readPages,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { expectListed } from "../../support/lists/listed-deliveries.ts";
import { lookAlikesOf, patternsFor } from "../../support/look-alikes.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { longAgoChecks } from "./list-filters-long-ago.ts";
import { orderOfFiltersChecks } from "./list-filters-order.ts";
import { pairsOfFiltersChecks } from "./list-filters-pairs.ts";
import { timeFilterChecks, timeFilterDetailChecks } from "./list-filters-times.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;

/** Creates two deliveries whose statuses don't change, and a query that contains them. */
async function createScheduledAndCancelled(
  context: BaseContext,
): Promise<{ scheduled: Delivery; cancelled: Delivery; window: ListQuery }> {
  const { api, store, now } = context;
  const cancelled = await cancelDelivery(api, (await createDelivery(context)).id);
  // No courier takes a delivery for another day, whatever its status is (OPEN-22).
  const scheduled = await createDelivery(context, { scheduled_for: isoInstant(now() + 30 * HOUR_MS) });
  const window = sinceCreationOf(cancelled, (await store()).external_store_id);
  await waitUntilListed(api, window, [cancelled, scheduled]);
  return { scheduled, cancelled, window };
}

const statusFilter = check({
  id: "list-filters.status",
  title: "status limits the list to deliveries with that status",
  clauses: [clause["LIST-13"]],
  async run(context) {
    const { scheduled, cancelled, window } = await createScheduledAndCancelled(context);
    const pairs = {
      "the status of a scheduled delivery": [scheduled, cancelled],
      "the status of a cancelled delivery": [cancelled, scheduled],
    } as const;
    await context.each(casesFrom("statuses", pairs), async ([, [wanted, other]]) => {
      const found = await listDeliveries(context.api, { ...window, status: wanted.status });
      const statuses = [...new Set(found.map((item) => item.status))];
      expectThat("the statuses of the listed deliveries", statuses).is([wanted.status]);
      expectThat(`the deliveries with status ${wanted.status}`, idsOf(found)).includes(wanted.id);
      expectThat(`the deliveries with status ${wanted.status}`, idsOf(found)).doesNotInclude(other.id);
    });
    const waiting = await createUnlocatedDelivery(context);
    await waitUntilListed(context.api, window, [waiting]);
    const listedAsReceived = idsOf(await listDeliveries(context.api, { ...window, status: "RECEIVED" }));
    // The service may find the address meanwhile (OPEN-83).
    const isReceived = (await readDelivery(context.api, waiting.id)).status === "RECEIVED";
    expectThat("the deliveries with status RECEIVED", listedAsReceived).satisfies(
      `to include ${waiting.id}`,
      !isReceived || listedAsReceived.includes(waiting.id),
    );
    // The filter must use the delivery's current status, not its status at creation. The two are equal if the
    // server keeps scheduled deliveries RECEIVED (OPEN-22).
    const scheduled_for = isoInstant(context.now() + 30 * HOUR_MS);
    const { id } = await createUnlocatedDelivery(context, { scheduled_for });
    const located = await changeDelivery(context.api, id, {
      dropoff: { text: streetAddress(), ...near(context.point) },
    });
    await waitUntilListed(context.api, window, [located]);
    const { status } = await readDelivery(context.api, id);
    const withSameStatus = await listDeliveries(context.api, { ...window, status });
    expectThat(`the deliveries with status ${status}`, idsOf(withSameStatus)).includes(id);
    const received = await listDeliveries(context.api, { ...window, status: "RECEIVED" });
    const mismatches = received.filter((item) => item.status !== "RECEIVED");
    expectThat("deliveries in the list of status RECEIVED that aren't RECEIVED", idsOf(mismatches)).isEmpty();
  },
});

const statusWithACourier = check({
  id: "list-filters.status-with-a-courier",
  title: "status finds a delivery by its current status after each courier action, and not by its last one",
  clauses: [clause["LIST-30"]],
  needs: ["courier"],
  async run(context) {
    const { api, each, store } = context;
    const created = await createDelivery(context);
    const window = sinceCreationOf(created, (await store()).external_store_id);
    const idsWith = async (status: string) => idsOf(await listDeliveries(api, { ...window, status }));
    // A service that assigns without an offer may refuse this action (OPEN-202).
    await context.performCourierAction(created.id, "offered");
    let last = created.status;
    await each(ofSet("courier-actions-until-delivery"), async (action) => {
      if (!(await context.performCourierAction(created.id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      const current = await readDelivery(api, created.id);
      await waitUntilListed(api, window, [current]);
      const { status } = current;
      expectThat(`the deliveries with status ${status}`, await idsWith(status)).includes(created.id);
      if (last !== status)
        expectThat(`the deliveries with status ${last}`, await idsWith(last)).doesNotInclude(created.id);
      last = status;
    });
  },
});

const statuses = check({
  id: "list-filters.several-statuses",
  title:
    "several statuses, separated by commas, return the deliveries with any of them and no others, and are combined with other filters",
  clauses: [clause["LIST-14"]],
  async run(context) {
    const { scheduled, cancelled, window } = await createScheduledAndCancelled(context);
    const allStatuses = new Set(["RECEIVED", "QUEUED", "ASSIGNED", scheduled.status, cancelled.status]);
    const lists = [
      [scheduled.status, cancelled.status],
      [cancelled.status, scheduled.status],
      ["ASSIGNED", cancelled.status],
      [...allStatuses],
    ];
    const nameOf = (wanted: readonly string[]) => `status=${wanted.join(",")}`;
    await context.each(cases("lists of statuses", lists, nameOf), async (wanted) => {
      const found = await listDeliveries(context.api, { ...window, status: wanted.join(",") });
      const expected = [scheduled, cancelled].filter((delivery) => wanted.includes(delivery.status));
      const missing = idsOf(expected).filter((id) => !idsOf(found).includes(id));
      expectThat(`deliveries with status ${wanted.join(" or ")} that aren't listed`, missing).isEmpty();
      const mismatches = found.filter((item) => !wanted.includes(item.status));
      expectThat(`listed deliveries without status ${wanted.join(" or ")}`, idsOf(mismatches)).isEmpty();
      // A query that joins the statuses with OR, without brackets, ignores the other filters for one of them.
      const others = { ...window, external_ref: newReference() };
      const withOthers = await listDeliveries(context.api, { ...others, status: wanted.join(",") });
      expectThat(
        `deliveries with status ${wanted.join(" or ")} and an order number that nobody has used`,
        idsOf(withOthers),
      ).isEmpty();
    });
  },
});

/** The listed deliveries with another external_ref, in words; undefined if there are none. */
function otherReferencesIn(found: readonly Delivery[], reference: string): string | undefined {
  const others = found.filter(({ external_ref }) => external_ref !== reference);
  const shown = others
    .slice(0, 3)
    .map(({ id, external_ref }) => `${id} has the external_ref ${external_ref}`);
  return shown.length === 0 ? undefined : shown.join(", ");
}

const reference = check({
  id: "list-filters.external-ref",
  title: "external_ref limits the list to deliveries with exactly that order number, also a cancelled one",
  clauses: [clause["LIST-18"]],
  async run(context) {
    const external_ref = newReference();
    const longer = await createDelivery(context, { external_ref: `${external_ref}-2` });
    const exact = await createDelivery(context, { external_ref });
    const cancelled = await createDelivery(context);
    await cancelDelivery(context.api, cancelled.id);
    const deliveries = {
      "the order number itself": exact,
      "the order number with a suffix": longer,
      "the order number of a cancelled delivery": cancelled,
    };
    await context.each(casesFrom("order numbers", deliveries), async ([, delivery]) => {
      const query = { external_ref: delivery.external_ref };
      const found = await listOnceShown(context.api, query, [delivery]);
      expectFound(found, delivery.external_ref);
      expectThat(`the deliveries with external_ref ${delivery.external_ref}`, idsOf(found), {
        note: otherReferencesIn(found, delivery.external_ref),
      }).is([delivery.id]);
    });
    const end = external_ref.slice(-20);
    const unusual = { "special characters": `#${end}+1 &2/%41=`, "Turkish letters": `Şb-ğİ-${end}` };
    await context.each(casesFrom("unusual order numbers", unusual), async ([, number]) => {
      const special = { external_ref: number };
      const created = await context.api.createDelivery(await context.order(special));
      // A server may refuse these characters (OPEN-29).
      for (const delivery of created.status === 400 ? [] : [created.body(201)]) {
        const found = await listOnceShown(context.api, special, [delivery]);
        expectThat(`deliveries with external_ref ${number}`, idsOf(found)).is([delivery.id]);
      }
    });
    await context.each(lookAlikesOf(external_ref), async ([, other]) => {
      const found = await listDeliveries(context.api, { external_ref: other });
      expectThat(`the deliveries with external_ref ${other}`, idsOf(found)).isEmpty();
    });
    await context.each(patternsFor(external_ref), async ([, pattern]) => {
      const response = await context.api.listDeliveries({ external_ref: pattern });
      if (response.status === 400) response.expectError(400);
      else expectThat(`deliveries with external_ref ${pattern}`, idsOf(response.body(200).items)).isEmpty();
    });
  },
});

const storeFilter = check({
  id: "list-filters.external-store-id",
  title:
    "external_store_id limits the list to one store, also if the id of another store begins with it, and for an order number that two stores use",
  clauses: [clause["LIST-20"], clause["LIST-21"]],
  needs: ["pairing"],
  async run(context) {
    const { api, store, anotherStore } = context;
    const { external_store_id: firstId } = await store();
    const { external_store_id: secondId } = await anotherStore();
    const external_ref = newReference();
    const first = await createDelivery(context, { external_ref, store: { external_store_id: firstId } });
    const second = await createDelivery(context, { external_ref, store: { external_store_id: secondId } });
    context.attributeTo(clause["LIST-21"]);
    const both = await listOnceShown(api, { external_ref }, [first, second]);
    const found = [...new Set(idsOf(both))].toSorted();
    expectThat(`the deliveries with external_ref ${external_ref}`, found).is(
      [first.id, second.id].toSorted(),
    );
    const ownDeliveries = {
      "the first store": [firstId, first],
      "a second store": [secondId, second],
    } as const;
    await context.each(casesFrom("stores", ownDeliveries), async ([, [external_store_id, own]]) => {
      const narrowed = await listDeliveries(api, { external_ref, external_store_id });
      expectThat(
        `the deliveries with external_ref ${external_ref} at ${external_store_id}`,
        idsOf(narrowed),
      ).is([own.id]);
    });
    context.attributeTo(clause["LIST-20"]);
    const expectNoneAt = async ([, external_store_id]: readonly [string, string]) => {
      const response = await api.listDeliveries({ external_ref, external_store_id });
      // A server may refuse the id of an unlinked store (OPEN-143), or an id with wildcard characters
      // (OPEN-29).
      if (response.status === 404 || response.status === 400) response.expectError([404, 400]);
      else expectThat(`deliveries at ${external_store_id}`, idsOf(response.body(200).items)).isEmpty();
    };
    await context.each(lookAlikesOf(firstId), expectNoneAt);
    await context.each(patternsFor(firstId), expectNoneAt);
    const listed = await listOnceShown(api, sinceCreationOf(first, secondId), [second]);
    expectThat(`the deliveries at ${secondId}`, idsOf(listed)).includes(second.id);
    const mismatches = listed.filter(({ store_id }) => store_id !== second.store_id);
    expectThat(`deliveries of other stores in the list for ${secondId}`, idsOf(mismatches)).isEmpty();
  },
});

const acrossPages = check({
  id: "list-filters.across-pages",
  title: "all pages of a filtered list together contain every match and nothing else",
  clauses: [clause["LIST-22"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, each, now, store } = context;
    const cancelled: Delivery[] = [];
    const scheduled: Delivery[] = [];
    // The deliveries are scheduled for another day, so only this check changes them. A delivery that the target
    // changes would move to the list's end, and no page would contain both statuses.
    const scheduled_for = isoInstant(now() + 30 * HOUR_MS);
    for (let i = 0; i < 4; i += 1) {
      cancelled.push(await cancelDelivery(api, (await createDelivery(context)).id));
      scheduled.push(await createDelivery(context, { scheduled_for }));
    }
    const [first] = cancelled;
    if (!first) throw new Error("no delivery was created");
    const window = sinceCreationOf(first, (await store()).external_store_id);
    await waitUntilListed(api, window, [...cancelled, ...scheduled]);
    const byStatus = { "cancelled deliveries": cancelled, "scheduled deliveries": scheduled };
    await each(casesFrom("filtered lists", byStatus), async ([name, expected]) => {
      const status = expected[0]?.status ?? "";
      const pages = await readPages(api, { ...window, status, limit: 3 });
      expectListed(pages, expected, name);
      const found = pages.flatMap(({ items }) => items);
      const mismatches = found.filter((item) => item.status !== status);
      expectThat(`items without status ${status} in the list of that status`, idsOf(mismatches)).isEmpty();
    });
  },
});

const storeAcrossPages = check({
  id: "list-filters.store-across-pages",
  title: "a list that is limited to one store contains only its deliveries on all pages",
  clauses: [clause["LIST-20"], clause["LIST-22"]],
  needs: ["pairing"],
  async run(context) {
    const { api, store, anotherStore } = context;
    // Few checks use the first store, so its list is short.
    const stores = [(await anotherStore()).external_store_id, (await store()).external_store_id] as const;
    const [firstId] = stores;
    const ownDeliveries: Delivery[] = [];
    for (const external_store_id of [...stores, ...stores, ...stores]) {
      const delivery = await createDelivery(context, { store: { external_store_id } });
      if (external_store_id === firstId) ownDeliveries.push(delivery);
    }
    const [first] = ownDeliveries;
    if (!first) throw new Error("no delivery was created");
    const window = sinceCreationOf(first, firstId);
    await waitUntilListed(api, window, ownDeliveries);
    const pages = await readPages(api, { ...window, limit: 2 });
    const found = pages.flatMap(({ items }) => items);
    context.attributeTo(clause["LIST-22"]);
    expectListed(pages, ownDeliveries, "deliveries of the first store");
    context.attributeTo(clause["LIST-20"], clause["LIST-22"]);
    const isMismatch = ({ store_id }: Delivery) => store_id !== first.store_id;
    const wrongPages = pages.flatMap(({ items }, index) => (items.some(isMismatch) ? [index + 1] : []));
    const note = `on page ${wrongPages.join(", ")} of ${pages.length}`;
    const subject = "deliveries of the second store in the list for the first";
    expectThat(subject, idsOf(found.filter(isMismatch)), { note }).isEmpty();
  },
});

const referenceAcrossPages = check({
  id: "list-filters.reference-across-pages",
  title:
    "a list of the deliveries with one order number contains them, and no others, on all pages, each within limit",
  clauses: [clause["LIST-22"], clause["LIST-9"]],
  needs: ["pairing"],
  async run(context) {
    const { api, store, anotherStore } = context;
    const external_ref = newReference();
    const expected: Delivery[] = [];
    for (const { external_store_id } of [await store(), await anotherStore()])
      expected.push(await createDelivery(context, { external_ref, store: { external_store_id } }));
    // A later change, which a page without the filter would contain.
    const other = await createDelivery(context);
    await waitUntilListed(api, { external_ref: other.external_ref }, [other]);
    await waitUntilListed(api, { external_ref }, expected);
    context.attributeTo(clause["LIST-22"]);
    const pages = await readPages(api, { external_ref, limit: 1 });
    const found = pages.flatMap(({ items }) => items);
    context.attributeTo(clause["LIST-9"]);
    for (const { items } of pages)
      expectThat({ field: "items", where: "of a page with limit 1" }, items.length).isAtMost(1);
    context.attributeTo(clause["LIST-22"]);
    expectListed(pages, expected, "deliveries with the order number");
    const mismatches = found.filter((item) => item.external_ref !== external_ref);
    expectThat(`deliveries with another order number than ${external_ref}`, idsOf(mismatches)).isEmpty();
  },
});

export const listFiltersChecks: readonly Check[] = [
  statusFilter,
  statuses,
  statusWithACourier,
  ...timeFilterChecks,
  reference,
  storeFilter,
  ...pairsOfFiltersChecks,
  ...orderOfFiltersChecks,
  acrossPages,
  storeAcrossPages,
  referenceAcrossPages,
  ...timeFilterDetailChecks,
  ...longAgoChecks,
];
