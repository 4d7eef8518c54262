import { expect } from "vitest";
import { instant } from "../../../core/clock.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { Schemas } from "../../session/api.ts";
import { cancelled, changed, opened, openedNowhere } from "../../support/deliveries.ts";
import { pages } from "../../support/list-pages.ts";
import {
  idsOf,
  type ListQuery,
  listed,
  MARGIN_MS,
  shifted,
  since,
  untilShown,
} from "../../support/list-queries.ts";
import { freshReference, near } from "../../support/orders.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;

/** A waiting and a cancelled delivery, both of a status that lasts, and the list's window over them. */
async function waitingAndGone(
  context: BaseContext,
): Promise<{ waiting: Delivery; gone: Delivery; window: ListQuery }> {
  const { api, store, now } = context;
  const gone = await cancelled(api, (await opened(context)).id);
  // No courier takes it today, whatever the state is in which it waits (OPEN-22).
  const waiting = await opened(context, { scheduled_for: instant(now() + 30 * HOUR_MS) });
  const window = since(gone, (await store()).external_store_id);
  await untilShown(api, window, [gone, waiting]);
  return { waiting, gone, window };
}

const status = check({
  id: "list-filters.status",
  title: "status narrows the list to deliveries of that status",
  clauses: ["LIST-13"],
  mutants: [
    "status-filter-is-ignored",
    "status-filter-keeps-what-is-open",
    "status-filter-goes-by-the-opening",
  ],
  async run(context) {
    const { waiting, gone, window } = await waitingAndGone(context);
    for (const [wanted, other] of [
      [waiting, gone],
      [gone, waiting],
    ] as const) {
      const found = await listed(context.api, { ...window, status: wanted.status });
      expect(new Set(found.map((item) => item.status)), "the statuses found").toEqual(
        new Set([wanted.status]),
      );
      expect(idsOf(found), `the deliveries that are ${wanted.status}`).toContain(wanted.id);
      expect(idsOf(found), `the deliveries that are ${wanted.status}`).not.toContain(other.id);
    }
    // It was RECEIVED and is no longer.
    const scheduled_for = instant(context.now() + 30 * HOUR_MS);
    const { id } = await openedNowhere(context, { scheduled_for });
    const located = await changed(context.api, id, {
      dropoff: { text: "Uyum Sokak 7", ...near(context.point) },
    });
    await untilShown(context.api, window, [located]);
    const received = await listed(context.api, { ...window, status: "RECEIVED" });
    expect(idsOf(received), "the deliveries that are RECEIVED").not.toContain(id);
  },
});

const statuses = check({
  id: "list-filters.several-statuses",
  title: "several statuses, separated by commas, give the deliveries of any of them and no others",
  clauses: ["LIST-14"],
  mutants: ["only-the-first-status-counts", "several-statuses-are-no-filter"],
  async run(context) {
    const { waiting, gone, window } = await waitingAndGone(context);
    for (const wanted of [
      [waiting.status, gone.status],
      [gone.status, waiting.status],
      ["ASSIGNED", gone.status],
    ]) {
      const found = await listed(context.api, { ...window, status: wanted.join(",") });
      const due = [waiting, gone].filter((delivery) => wanted.includes(delivery.status));
      expect(idsOf(found), `the deliveries that are ${wanted}`).toEqual(
        expect.arrayContaining([...idsOf(due)]),
      );
      const misfits = found.filter((item) => !wanted.includes(item.status));
      expect(idsOf(misfits), `deliveries that are none of ${wanted}`).toEqual([]);
    }
  },
});

/** An instant in UTC as local time with its offset. */
const inIstanbul = (time: string): string => shifted(time, 3 * HOUR_MS).replace("Z", "+03:00");

/** Time filters: one under which a delivery is found, and one under which it isn't, with clear margins. */
const timeFilters = (delivery: Delivery) => {
  const { created_at, updated_at } = delivery;
  const close = { created_from: shifted(created_at, -2 * MARGIN_MS) };
  return {
    from: {
      found: { ...close, from: shifted(updated_at, -MARGIN_MS) },
      missed: { ...close, from: shifted(updated_at, HOUR_MS) },
    },
    created_from: { found: close, missed: { created_from: shifted(created_at, HOUR_MS) } },
    created_to: {
      found: { ...close, created_to: shifted(created_at, MARGIN_MS) },
      missed: {
        created_from: shifted(created_at, -3 * MARGIN_MS),
        created_to: shifted(created_at, -MARGIN_MS),
      },
    },
  };
};

const timeCheck = (
  name: keyof ReturnType<typeof timeFilters>,
  words: string,
  clauses: Check["clauses"],
  mutants: Check["mutants"],
): Check =>
  check({
    id: `list-filters.${name.replace("_", "-")}`,
    title: `${name} leaves out deliveries that ${words} it, and no others`,
    clauses,
    mutants,
    async run(context) {
      const { api, store } = context;
      const delivery = await opened(context);
      const { external_store_id } = await store();
      await untilShown(api, since(delivery, external_store_id), [delivery]);
      const { found, missed } = timeFilters(delivery)[name];
      // The same instants, in Z and in another zone.
      for (const form of [(time: string) => time, inIstanbul]) {
        const written = (query: ListQuery) => ({
          external_store_id,
          ...Object.fromEntries(Object.entries(query).map(([key, time]) => [key, form(String(time))])),
        });
        const inside = await listed(api, written(found));
        expect(idsOf(inside), `the deliveries within ${JSON.stringify(written(found))}`).toContain(
          delivery.id,
        );
        const outside = await listed(api, written(missed));
        expect(idsOf(outside), `the deliveries without ${JSON.stringify(written(missed))}`).not.toContain(
          delivery.id,
        );
      }
    },
  });

const createdToAlone = check({
  id: "list-filters.created-to-alone",
  title: "created_to leaves out what was created after it also where it is the only time",
  clauses: ["LIST-17"],
  mutants: ["created-to-alone-is-ignored"],
  async run(context) {
    const { api, store } = context;
    const { external_store_id, created_at } = await store();
    const delivery = await opened(context);
    await untilShown(api, since(delivery, external_store_id), [delivery]);
    // Nothing was ordered from the store before it was linked.
    const created_to = shifted(created_at, -MARGIN_MS);
    const { items } = (await api.listDeliveries({ external_store_id, created_to })).body(200);
    expect(idsOf(items), `deliveries of the store that were created before ${created_to}`).toEqual([]);
  },
});

const reference = check({
  id: "list-filters.external-ref",
  title: "external_ref narrows the list to deliveries with exactly that order number",
  clauses: ["LIST-18"],
  mutants: ["reference-filter-is-ignored", "reference-found-by-its-beginning"],
  async run(context) {
    const external_ref = freshReference();
    const longer = await opened(context, { external_ref: `${external_ref}-2` });
    const delivery = await opened(context, { external_ref });
    for (const one of [delivery, longer]) {
      const query = { external_ref: one.external_ref };
      await untilShown(context.api, query, [one]);
      const found = await listed(context.api, query);
      expect(idsOf(found), `the deliveries with external_ref ${one.external_ref}`).toEqual([one.id]);
    }
  },
});

const store = check({
  id: "list-filters.external-store-id",
  title: "external_store_id narrows the list to one store, and tells apart two deliveries with one number",
  clauses: ["LIST-20", "LIST-21"],
  needs: ["pairing"],
  mutants: ["store-filter-is-ignored", "store-filter-is-ignored-beside-a-reference"],
  async run(context) {
    const { api, store, anotherStore } = context;
    const { external_store_id: here } = await store();
    const { external_store_id: there } = await anotherStore();
    const external_ref = freshReference();
    const first = await opened(context, { external_ref, store: { external_store_id: here } });
    const second = await opened(context, { external_ref, store: { external_store_id: there } });
    await untilShown(api, { external_ref }, [first, second]);
    const both = await listed(api, { external_ref });
    expect(new Set(idsOf(both)), "the deliveries with this number").toEqual(new Set([first.id, second.id]));
    for (const [external_store_id, own] of [
      [here, first],
      [there, second],
    ] as const) {
      const narrowed = await listed(api, { external_ref, external_store_id });
      expect(idsOf(narrowed), `the deliveries with this number at ${external_store_id}`).toEqual([own.id]);
    }
    await untilShown(api, since(first, there), [second]);
    const all = await listed(api, since(first, there));
    expect(idsOf(all), `all of ${there}`).toContain(second.id);
    const misfits = all.filter(({ store_id }) => store_id !== second.store_id);
    expect(idsOf(misfits), `deliveries of other stores among all of ${there}`).toEqual([]);
  },
});

const acrossPages = check({
  id: "list-filters.across-pages",
  title: "filtered pages, continued, hold all that match and nothing else",
  clauses: ["LIST-22"],
  alone: "identity",
  mutants: ["filter-is-forgotten-after-the-first-page", "filter-comes-after-paging"],
  async run(context) {
    const { api, store } = context;
    const gone: Delivery[] = [];
    const open: Delivery[] = [];
    for (let i = 0; i < 4; i += 1) {
      open.push(await opened(context));
      gone.push(await cancelled(api, (await opened(context)).id));
    }
    const [first] = open;
    const [{ status } = { status: "" }] = gone;
    if (!first) throw new Error("nothing was opened");
    const window = since(first, (await store()).external_store_id);
    await untilShown(api, window, [...open, ...gone]);
    const found = (await pages(api, { ...window, status, limit: 3 })).flatMap(({ items }) => items);
    expect(idsOf(found), "the cancelled deliveries").toEqual(expect.arrayContaining([...idsOf(gone)]));
    const misfits = found.filter((item) => item.status !== status);
    expect(idsOf(misfits), "deliveries of another status").toEqual([]);
  },
});

const storeAcrossPages = check({
  id: "list-filters.store-across-pages",
  title: "a list that is narrowed to one store stays so on the pages that follow",
  clauses: ["LIST-20", "LIST-22"],
  needs: ["pairing"],
  mutants: ["store-is-forgotten-after-the-first-page"],
  async run(context) {
    const { api, store, anotherStore } = context;
    const stores = [(await store()).external_store_id, (await anotherStore()).external_store_id] as const;
    const [here = ""] = stores;
    const mine: Delivery[] = [];
    for (const external_store_id of [...stores, ...stores, ...stores]) {
      const delivery = await opened(context, { store: { external_store_id } });
      if (external_store_id === here) mine.push(delivery);
    }
    const [first] = mine;
    if (!first) throw new Error("nothing was opened");
    const window = since(first, here);
    await untilShown(api, window, mine);
    const found = (await pages(api, { ...window, limit: 2 })).flatMap(({ items }) => items);
    expect(idsOf(found), `all of ${here}`).toEqual(expect.arrayContaining([...idsOf(mine)]));
    const misfits = found.filter(({ store_id }) => store_id !== first.store_id);
    expect(idsOf(misfits), "deliveries of the other store").toEqual([]);
  },
});

const malformed = check({
  id: "list-filters.malformed-times",
  title: "a malformed time in from, created_from or created_to is refused with 400",
  clauses: ["LIST-23"],
  mutants: ["malformed-from-is-ignored", "malformed-created-to-finds-nothing"],
  async run(context) {
    const { api } = context;
    const { created_at } = await opened(context);
    const legal = { from: shifted(created_at, -MARGIN_MS), created_from: shifted(created_at, -MARGIN_MS) };
    for (const name of ["from", "created_from", "created_to"] as const) {
      for (const time of ["dün", "2026-13-01T00:00:00Z"]) {
        const query = { ...legal, [name]: time, limit: 1 };
        (await api.violate("listDeliveries", `${name} is no time`, { query })).refused(400);
      }
      const twin = { ...legal, [name]: created_at, limit: 1 };
      (await api.listDeliveries(twin)).hasStatus(200);
    }
  },
});

const HOURS_2 = 2 * 3600;

const changedSince = check({
  id: "list-filters.from-goes-by-the-change",
  title:
    "from finds a delivery that was opened before it and changed after it, and none that only was opened",
  clauses: ["LIST-25"],
  needs: ["clock"],
  waits: HOURS_2,
  mutants: ["from-filter-goes-by-the-creation"],
  async run(context) {
    const { api, advance, now, store } = context;
    // Without coordinates no courier and no estimate changes either of them meanwhile.
    const still = await cancelled(api, (await openedNowhere(context)).id);
    const before = await openedNowhere(context);
    await advance(HOURS_2);
    const from = instant(now() - HOUR_MS);
    const after = await changed(api, before.id, { notes: "Arka kapı" });
    const { external_store_id } = await store();
    const created_from = shifted(still.created_at, -MARGIN_MS);
    await untilShown(api, { external_store_id, created_from }, [after]);
    const found = idsOf(await listed(api, { external_store_id, created_from, from }));
    expect(found, `the deliveries that changed after ${from}`).toContain(before.id);
    expect(found, `the deliveries that changed after ${from}`).not.toContain(still.id);
  },
});

const createdSince = check({
  id: "list-filters.created-goes-by-the-creation",
  title: "created_from and created_to go by when a delivery was opened, whenever it changed",
  clauses: ["LIST-27"],
  needs: ["clock"],
  waits: HOURS_2,
  mutants: ["created-to-goes-by-the-change", "created-from-goes-by-the-change"],
  async run(context) {
    const { api, advance, now, store } = context;
    const { external_store_id } = await store();
    const early = await openedNowhere(context);
    await advance(HOURS_2);
    const between = instant(now() - HOUR_MS);
    const after = await changed(api, early.id, { notes: "Arka kapı" });
    const late = await openedNowhere(context);
    const created_from = shifted(early.created_at, -MARGIN_MS);
    await untilShown(api, { external_store_id, created_from }, [after, late]);
    const before = idsOf(await listed(api, { external_store_id, created_from, created_to: between }));
    expect(before, `the deliveries created before ${between}`).toContain(early.id);
    expect(before, `the deliveries created before ${between}`).not.toContain(late.id);
    const since = idsOf(await listed(api, { external_store_id, created_from: between }));
    expect(since, `the deliveries created after ${between}`).toContain(late.id);
    expect(since, `the deliveries created after ${between}`).not.toContain(early.id);
  },
});

const DAYS_40 = 40 * 24 * 3600;

const longAgo = check({
  id: "list-filters.reference-of-long-ago",
  title: "a delivery of long ago is found by its order number",
  clauses: ["LIST-19"],
  needs: ["clock"],
  waits: DAYS_40,
  mutants: ["reference-is-sought-in-the-last-month", "reference-of-a-store-is-sought-in-the-last-month"],
  async run(context) {
    const { api, advance, store } = context;
    const { external_store_id } = await store();
    const { id, external_ref } = await cancelled(api, (await opened(context)).id);
    await advance(DAYS_40);
    for (const query of [{ external_ref }, { external_ref, external_store_id }]) {
      const found = await listed(api, query);
      expect(idsOf(found), `the deliveries with ${JSON.stringify(query)}`).toEqual([id]);
    }
  },
});

export const listFilters: readonly Check[] = [
  status,
  statuses,
  timeCheck("from", "didn't change after", ["LIST-15"], ["from-filter-is-ignored", "from-offset-is-ignored"]),
  timeCheck("created_from", "were created before", ["LIST-16"], ["created-from-filter-is-ignored"]),
  timeCheck("created_to", "were created after", ["LIST-17"], ["created-to-filter-is-ignored"]),
  createdToAlone,
  reference,
  store,
  acrossPages,
  storeAcrossPages,
  malformed,
  changedSince,
  createdSince,
  longAgo,
];
