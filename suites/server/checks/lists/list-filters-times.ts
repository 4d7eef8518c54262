import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { instant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/document.ts";
import { cancelled, changed, opened, openedNowhere } from "../../support/deliveries.ts";
import {
  idsOf,
  type ListQuery,
  listed,
  MARGIN_MS,
  shifted,
  sinceOpeningOf,
  untilShown,
} from "../../support/delivery-list.ts";
import { type Check, check } from "../define.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;

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
  facts: Pick<Check, "id" | "clauses" | "mutants">,
): Check =>
  check({
    ...facts,
    title: `${name} leaves out deliveries that ${words} it, and no others`,
    async run(context) {
      const { api, store } = context;
      const delivery = await opened(context);
      const { external_store_id } = await store();
      await untilShown(api, sinceOpeningOf(delivery, external_store_id), [delivery]);
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
  clauses: [clause["LIST-17"]],
  mutants: ["created-to-alone-is-ignored"],
  async run(context) {
    const { api, store } = context;
    const { external_store_id, created_at } = await store();
    const delivery = await opened(context);
    await untilShown(api, sinceOpeningOf(delivery, external_store_id), [delivery]);
    // Nothing was ordered from the store before it was linked.
    const created_to = shifted(created_at, -MARGIN_MS);
    const { items } = (await api.listDeliveries({ external_store_id, created_to })).body(200);
    expect(idsOf(items), `deliveries of the store that were created before ${created_to}`).toEqual([]);
  },
});

const malformed = check({
  id: "list-filters.malformed-times",
  title: "a malformed time in from, created_from or created_to is refused with 400",
  clauses: [clause["LIST-23"]],
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
  clauses: [clause["LIST-25"]],
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
  clauses: [clause["LIST-27"]],
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

/** What each time leaves out. */
export const narrowedByTimes: readonly Check[] = [
  timeCheck("from", "didn't change after", {
    id: "list-filters.from",
    clauses: [clause["LIST-15"]],
    mutants: ["from-filter-is-ignored", "from-offset-is-ignored"],
  }),
  timeCheck("created_from", "were created before", {
    id: "list-filters.created-from",
    clauses: [clause["LIST-16"]],
    mutants: ["created-from-filter-is-ignored"],
  }),
  timeCheck("created_to", "were created after", {
    id: "list-filters.created-to",
    clauses: [clause["LIST-17"]],
    mutants: ["created-to-filter-is-ignored"],
  }),
  createdToAlone,
];

/** How a time is written, and whether it goes by the creation or by the change. */
export const whatTimesMean: readonly Check[] = [malformed, changedSince, createdSince];
