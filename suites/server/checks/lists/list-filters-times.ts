import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { textOf } from "../../../core/json.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import {
  FILTER_MARGIN_MS,
  idsOf,
  type ListQuery,
  listDeliveries,
  readPages,
  shiftInstant,
  sinceCreationOf,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { expectListed } from "../../support/lists/listed-deliveries.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
} from "../../support/orders/deliveries.ts";
import { toTheSecond } from "../../support/orders/orders.ts";
import { expectNoEarlier } from "../../support/shown-values.ts";

type Delivery = Schemas["Delivery"];

const HOUR_MS = 3_600_000;

/** Writes a UTC time with the offset +03:00. */
const inIstanbul = (time: string): string => shiftInstant(time, 3 * HOUR_MS).replace("Z", "+03:00");

/**
 * For each time filter, a query that the delivery matches and a query that excludes it, with a margin in each.
 */
const timeFilters = (delivery: Delivery) => {
  const { created_at, updated_at } = delivery;
  const recent = { created_from: shiftInstant(created_at, -2 * FILTER_MARGIN_MS) };
  return {
    from: {
      matching: { ...recent, from: toTheSecond(Date.parse(updated_at) - FILTER_MARGIN_MS) },
      excluding: { ...recent, from: shiftInstant(updated_at, HOUR_MS) },
    },
    created_from: { matching: recent, excluding: { created_from: shiftInstant(created_at, HOUR_MS) } },
    created_to: {
      matching: { ...recent, created_to: shiftInstant(created_at, FILTER_MARGIN_MS) },
      excluding: {
        created_from: shiftInstant(created_at, -3 * FILTER_MARGIN_MS),
        created_to: shiftInstant(created_at, -FILTER_MARGIN_MS),
      },
    },
  };
};

const timeCheck = (
  name: keyof ReturnType<typeof timeFilters>,
  words: string,
  metadata: Pick<Check, "id" | "clauses">,
): Check =>
  check({
    ...metadata,
    title: `${name} excludes only deliveries that ${words} it`,
    async run(context) {
      const { api, store } = context;
      const delivery = await createDelivery(context);
      const { external_store_id } = await store();
      await waitUntilListed(api, sinceCreationOf(delivery, external_store_id), [delivery]);
      const { matching, excluding } = timeFilters(delivery)[name];
      const forms = { "in Z": (time: string) => time, "in another time zone": inIstanbul };
      await context.each(casesFrom("ways to write a time", forms), async ([, form]) => {
        const inForm = ([key, time]: readonly [string, unknown]) => [
          key,
          key === name ? form(textOf(time)) : time,
        ];
        const withNotation = (query: ListQuery) => ({
          external_store_id,
          ...Object.fromEntries(Object.entries(query).map(inForm)),
        });
        const inside = await listDeliveries(api, withNotation(matching));
        expectThat(`the deliveries with ${JSON.stringify(withNotation(matching))}`, idsOf(inside)).includes(
          delivery.id,
        );
        const outside = await listDeliveries(api, withNotation(excluding));
        expectThat(
          `the deliveries with ${JSON.stringify(withNotation(excluding))}, which excludes the new delivery`,
          idsOf(outside),
        ).doesNotInclude(delivery.id);
      });
    },
  });

const createdToAlone = check({
  id: "list-filters.created-to-alone",
  title: "created_to without another time excludes deliveries created after it",
  clauses: [clause["LIST-17"]],
  async run(context) {
    const { api, store } = context;
    const { external_store_id, created_at } = await store();
    const delivery = await createDelivery(context);
    await waitUntilListed(api, sinceCreationOf(delivery, external_store_id), [delivery]);
    // The store has no orders from before it was registered.
    const created_to = shiftInstant(created_at, -FILTER_MARGIN_MS);
    const matching = await listDeliveries(api, { external_store_id, created_to });
    expectThat(`deliveries of the store that were created before ${created_to}`, idsOf(matching)).isEmpty();
  },
});

const malformed = check({
  id: "list-filters.malformed-times",
  title: "a malformed time in from, created_from or created_to is refused with 400",
  clauses: [clause["LIST-23"]],
  async run(context) {
    const { api } = context;
    const { created_at } = await createDelivery(context);
    const legal = {
      from: shiftInstant(created_at, -FILTER_MARGIN_MS),
      created_from: shiftInstant(created_at, -FILTER_MARGIN_MS),
    };
    await context.each(cases("parameters", ["from", "created_from", "created_to"] as const), async (name) => {
      for (const time of ["dün", "2026-13-01T00:00:00Z"]) {
        const query = { ...legal, [name]: time, limit: 1 };
        (await api.sendInvalid("listDeliveries", `${name} isn't a time`, { query })).expectError(400);
      }
      // Positive control: the filter accepts a valid time.
      const control = { ...legal, [name]: shiftInstant(created_at, 0), limit: 1 };
      (await api.listDeliveries(control)).expectStatus(200);
    });
  },
});

/** Two times with this difference are distinct in spite of rounding and small clock errors. */
const APART_MS = 3_000;
/** Less than APART_MS, but more than the fraction of a second that a server may drop from a time (OPEN-8). */
const BETWEEN_MS = 1_200;

/**
 * Waits until APART_MS have passed on the suite's clock, because the target's clock may be minutes off.
 * @returns a time between `instant` and now on the target's clock
 */
async function passMoment({ now }: Pick<BaseContext, "now">, instant: string): Promise<string> {
  const startMs = now();
  const hasPassed = () => (now() - startMs > APART_MS ? true : undefined);
  await poll(async () => hasPassed(), { within: 4 * APART_MS, every: 200 });
  return shiftInstant(instant, BETWEEN_MS);
}

const changedSince = check({
  id: "list-filters.from-goes-by-the-change",
  title: "from compares the time of the last change, with or without a status filter",
  clauses: [clause["LIST-25"]],
  minRealSeconds: APART_MS / 1000,
  async run(context) {
    const { api, store } = context;
    // The deliveries have no coordinates, so neither a courier nor an estimate changes them.
    const delivery = await createUnlocatedDelivery(context);
    const unchanged = await cancelDelivery(api, (await createUnlocatedDelivery(context)).id);
    const from = await passMoment(context, unchanged.updated_at);
    const changed = await changeDelivery(api, delivery.id, { notes: "Arka kapı" });
    const { external_store_id } = await store();
    const created_from = shiftInstant(delivery.created_at, -FILTER_MARGIN_MS);
    await waitUntilListed(api, { external_store_id, created_from }, [changed]);
    // A service that geocodes may queue the changed delivery (OPEN-83).
    const statuses = [...new Set([changed.status, unchanged.status, "RECEIVED", "QUEUED"])];
    const filters = { "no status": {}, "both deliveries' statuses": { status: statuses.join(",") } };
    await context.each(casesFrom("other filters", filters), async ([name, filter]) => {
      const query = { external_store_id, created_from, ...filter, from };
      const matching = idsOf(await listDeliveries(api, query));
      const subject = `the deliveries that changed after ${from}, with ${name}`;
      expectThat(subject, matching).includes(delivery.id);
      expectThat(subject, matching).doesNotInclude(unchanged.id);
    });
  },
});

const createdSince = check({
  id: "list-filters.created-goes-by-the-creation",
  title:
    "created_from and created_to compare the time of creation, regardless of a later cancellation, whose time is cancelled_at",
  clauses: [clause["LIST-27"], clause["CANCEL-2"]],
  minRealSeconds: APART_MS / 1000,
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    const early = await createUnlocatedDelivery(context);
    const between = await passMoment(context, early.created_at);
    const after = await cancelDelivery(api, early.id);
    context.attributeTo(clause["CANCEL-2"]);
    const cancelled_at = { field: "cancelled_at", where: `of a delivery created at ${early.created_at}` };
    expectNoEarlier(after.cancelled_at, Date.parse(between), cancelled_at);
    context.attributeTo(clause["LIST-27"]);
    const late = await createUnlocatedDelivery(context);
    const created_from = shiftInstant(early.created_at, -FILTER_MARGIN_MS);
    await waitUntilListed(api, { external_store_id, created_from }, [after, late]);
    const earlierIds = idsOf(
      await listDeliveries(api, { external_store_id, created_from, created_to: between }),
    );
    const ofEarly = `created at ${early.created_at}, cancelled at ${after.cancelled_at}`;
    const ofLate = `created at ${late.created_at}`;
    const before = `the deliveries created before ${between}`;
    const behind = `the deliveries created after ${between}`;
    expectThat(before, earlierIds, { note: `it was ${ofEarly}` }).includes(early.id);
    expectThat(before, earlierIds, { note: `it was ${ofLate}` }).doesNotInclude(late.id);
    const laterIds = idsOf(await listDeliveries(api, { external_store_id, created_from: between }));
    expectThat(behind, laterIds, { note: `it was ${ofLate}` }).includes(late.id);
    expectThat(behind, laterIds, { note: `it was ${ofEarly}` }).doesNotInclude(early.id);
  },
});

const createdAcrossPages = check({
  id: "list-filters.creation-times-across-pages",
  title: "created_from and created_to exclude the same deliveries on all pages",
  clauses: [clause["LIST-22"]],
  // Each delivery of a concurrent check would lengthen the lists.
  isolation: "own-integrator",
  minRealSeconds: APART_MS / 1000,
  async run(context) {
    const { api, store } = context;
    const { external_store_id } = await store();
    const createThree = async () => [
      await createUnlocatedDelivery(context),
      await createUnlocatedDelivery(context),
      await createUnlocatedDelivery(context),
    ];
    const earlier = await createThree();
    const [changed, , last] = earlier;
    if (!changed || !last) throw new Error("no delivery was created");
    const between = await passMoment(context, last.created_at);
    const later = await createThree();
    // The change moves the earlier delivery to the end of the list, possibly to the next page.
    const after = await changeDelivery(api, changed.id, { notes: "Arka kapı" });
    const created_from = shiftInstant(changed.created_at, -FILTER_MARGIN_MS);
    await waitUntilListed(api, { external_store_id, created_from }, [...later, after]);
    const changeOf = ({ id }: Pick<Schemas["Delivery"], "id">) =>
      id === after.id ? `it was created at ${changed.created_at}, and changed after that` : "";
    const filters = {
      created_to: {
        times: { created_from, created_to: between },
        included: [after, ...earlier.slice(1)],
        excluded: later,
      },
      created_from: {
        times: { created_from: between },
        included: later,
        excluded: earlier,
      },
    };
    await context.each(casesFrom("times", filters), async ([name, { times, included, excluded }]) => {
      const pages = await readPages(api, { external_store_id, ...times, limit: 2 });
      const matching = pages.flatMap(({ items }) => items);
      const bounds = Object.entries(times).map(([bound, time]) => `${bound} ${time}`);
      const what = `deliveries that ${bounds.join(" and ")} include`;
      expectListed(pages, included, what, [], changeOf);
      const excludedIds = idsOf(matching).filter((id) => idsOf(excluded).includes(id));
      expectThat(`deliveries that ${name} excludes`, excludedIds).isEmpty();
    });
  },
});

export const timeFilterChecks: readonly Check[] = [
  timeCheck("from", "didn't change after", {
    id: "list-filters.from",
    clauses: [clause["LIST-15"]],
  }),
  timeCheck("created_from", "were created before", {
    id: "list-filters.created-from",
    clauses: [clause["LIST-16"]],
  }),
  timeCheck("created_to", "were created after", {
    id: "list-filters.created-to",
    clauses: [clause["LIST-17"]],
  }),
  createdToAlone,
];

export const timeFilterDetailChecks: readonly Check[] = [
  malformed,
  changedSince,
  createdSince,
  createdAcrossPages,
];
