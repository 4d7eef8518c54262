import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import {
  expectCursor,
  idsOf,
  readPages,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { expectChangesListed, expectListed } from "../../support/lists/listed-deliveries.ts";
import { cancelDelivery, changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;
/** The check's own deliveries fill two pages. */
const PAGE_LIMIT = 2;
const DELIVERY_COUNT = 2 * PAGE_LIMIT;
const OPEN_STATUSES = ["RECEIVED", "QUEUED"];

/** Creates deliveries that no courier takes today, so their status and position in the list don't change. */
async function createScheduledDeliveries(context: BaseContext, count: number): Promise<readonly Delivery[]> {
  const created: Delivery[] = [];
  const scheduled_for = isoInstant(context.now() + 30 * HOUR_MS);
  for (let i = 0; i < count; i += 1) created.push(await createDelivery(context, { scheduled_for }));
  return created;
}

/** How the list is filtered, and what happens after the page before the cursor has been read. */
interface Interruption {
  readonly filtersByStatus?: true;
  /** The name of the change. */
  readonly name: string;
  /** Changes each delivery on the page before the cursor. */
  readonly change: (context: BaseContext, id: string) => Promise<Delivery>;
  readonly stillMatches: boolean;
  readonly creations: number;
}

/** Other checks change notes and the customer. */
const changeReadyTime: Interruption["change"] = ({ api, now }, id) =>
  changeDelivery(api, id, { ready_at: isoInstant(now() + HOUR_MS) });
const changeAddress: Interruption["change"] = ({ api, point }, id) =>
  changeDelivery(api, id, { dropoff: { text: "Gülşen Sokak 9, Fatih, İstanbul", ...near(point, 2) } });

const INTERRUPTIONS = {
  "paged deliveries change": {
    name: "a PATCH of ready_at",
    change: changeReadyTime,
    stillMatches: true,
    creations: 0,
  },
  "paged deliveries change and new ones are created": {
    name: "a PATCH of dropoff",
    change: changeAddress,
    stillMatches: true,
    creations: 2,
  },
  "paged deliveries stop matching the filter": {
    filtersByStatus: true,
    name: "a cancellation",
    change: ({ api }, id) => cancelDelivery(api, id, "Müşteri vazgeçti"),
    stillMatches: false,
    creations: 0,
  },
} satisfies Readonly<Record<string, Interruption>>;

const nothingLost = check({
  id: "paging.changes-before-the-cursor",
  title:
    "deliveries on later pages are still returned when earlier ones change or are cancelled, or new ones are created",
  clauses: [clause["LIST-4"], clause["LIST-7"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    await context.each(casesFrom<Interruption>("interruptions", INTERRUPTIONS), async ([, interruption]) => {
      const deliveries = await createScheduledDeliveries(context, DELIVERY_COUNT);
      const [first] = deliveries;
      if (!first) throw new Error("no delivery was created");
      const window = sinceCreationOf(first, external_store_id);
      await waitUntilListed(api, window, deliveries);
      context.attributeTo(clause["LIST-4"]);
      // A scheduled order may have any of these statuses (OPEN-22), and may change to its status with a delay.
      const status = [...new Set([...OPEN_STATUSES, ...deliveries.map((delivery) => delivery.status)])].join(
        ",",
      );
      const query = { ...window, ...(interruption.filtersByStatus && { status }), limit: PAGE_LIMIT };
      const pages = await readPages(api, query);
      const isOwn = ({ id }: Delivery) => idsOf(deliveries).includes(id);
      // Deliveries with equal updated_at may be in any order (OPEN-144).
      const pageIndex = pages.findIndex(({ items }) => items.some(isOwn));
      const pagedItems = pages.slice(0, pageIndex + 1).flatMap(({ items }) => items);
      expectListed(pages, deliveries, "deliveries of the check, before any change");
      const cursor = pages[pageIndex]?.next_cursor;
      expectCursor(cursor);
      const changed: Delivery[] = [];
      for (const { id } of pagedItems.filter(isOwn)) changed.push(await interruption.change(context, id));
      const created = await createScheduledDeliveries(context, interruption.creations);
      await waitUntilListed(api, window, [...changed, ...created]);
      const after = await readPages(api, { ...query, since: String(cursor ?? "") });
      const afterCursor = deliveries.filter(({ id }) => !idsOf(pagedItems).includes(id));
      const last = pagedItems.at(-1)?.id ?? "";
      expectListed(
        after,
        [...afterCursor, ...created],
        "deliveries expected after the cursor",
        pagedItems,
        () =>
          idsOf(changed).includes(last)
            ? `the last entry of the cursor's page, ${last}, changed after the cursor was returned (${interruption.name})`
            : "",
      );
      context.attributeTo(clause["LIST-7"]);
      const repeats = interruption.stillMatches ? changed : [];
      expectChangesListed(
        after,
        repeats.map((delivery) => ({ change: interruption.name, delivery })),
        pagedItems,
      );
    });
  },
});

export const pagingEarlierChangesChecks: readonly Check[] = [nothingLost];
