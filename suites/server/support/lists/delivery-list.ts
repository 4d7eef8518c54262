import { isoInstant, poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { auxiliaryStep } from "../../../core/grading/expectations/auxiliary-step.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { textOf } from "../../../core/json.ts";
import type { Api } from "../../session/http/api.ts";
import { LIST_LAG_MS } from "../../session/lists/list-readings.ts";
import { toTheSecond } from "../orders/orders.ts";
import { expectNoEarlier, instantIn } from "../shown-values.ts";

type Delivery = Schemas["Delivery"];

export type ListQuery = NonNullable<Parameters<Api["listDeliveries"]>[0]>;

/** The precision of time filters and the inclusion of their bounds are unspecified (OPEN-141). */
export const FILTER_MARGIN_MS = 2_000;

/** A time shifted by milliseconds, which may be negative. */
export const shiftInstant = (from: string, milliseconds: number): string =>
  isoInstant(instantIn(from, "an instant of the delivery") + milliseconds);

/** Lists a store's deliveries, including other checks' deliveries, from the creation of `first` on. */
export const sinceCreationOf = (first: Delivery, external_store_id: string): ListQuery => ({
  external_store_id,
  created_from: toTheSecond(instantIn(first.created_at, "created_at of the delivery") - FILTER_MARGIN_MS),
});

/**
 * Expects the cursor of a page with a next page. Its type isn't specified: text and numbers can be sent as
 * `since`.
 */
export const expectCursor = (next_cursor: unknown): void =>
  expectThat({ field: "next_cursor", where: "of a page before the last" }, next_cursor).satisfies(
    "text or a number",
    isCursor(next_cursor),
  );

export const isCursor = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** The maximum number of pages. A list without an end is a fault. */
const MAX_PAGES = 300;

interface Page {
  readonly items: readonly Delivery[];
  readonly next_cursor: string | number | null;
  readonly has_more: boolean;
  readonly limit: number | undefined;
}

/** Reads pages from the start or a cursor, until has_more is false. */
export async function readPages(api: Api, query: ListQuery): Promise<readonly Page[]> {
  const found: Page[] = [];
  let cursor = query.since;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await api.listDeliveries({
      ...query,
      ...(cursor === undefined ? {} : { since: cursor }),
    });
    const { items, next_cursor = null, has_more } = response.body(200);
    found.push({ items, next_cursor, has_more, limit: query.limit });
    if (!has_more) return found;
    if (next_cursor === null || textOf(next_cursor) === cursor) {
      return response.fail("has_more is true, but next_cursor is unusable", {
        expected: "a cursor that continues",
        actual: next_cursor,
      });
    }
    cursor = textOf(next_cursor);
  }
  throw new CheckFailure({
    subject: "pages of the list",
    relation: "to be at most",
    expected: MAX_PAGES,
    actual: found.length,
    note: "has_more stayed true",
  });
}

/** All deliveries of a query, read in the largest pages. */
export const listDeliveries = async (api: Api, query: ListQuery): Promise<readonly Delivery[]> =>
  (await readPages(api, { limit: 200, ...query })).flatMap(({ items }) => items);

/** `a list with status and from` */
export const describeList = (query: ListQuery): string => {
  const names = Object.keys(query);
  return names.length === 0 ? "the list" : `a list with ${names.join(" and ")}`;
};

/** Asserts that the items of a page come in the order of updated_at, the oldest first. */
export function expectOldestFirst(items: readonly Delivery[], query: ListQuery): void {
  for (const [index, { updated_at }] of items.slice(1).entries()) {
    const previous = items[index]?.updated_at ?? "";
    const where = `of item ${index + 2} of ${describeList(query)}, compared with item ${index + 1}`;
    expectNoEarlier(updated_at, Date.parse(previous), { field: "updated_at", where });
  }
}

export const idsOf = (deliveries: readonly Delivery[]): readonly string[] => deliveries.map(({ id }) => id);

/**
 * True if a list contains the deliveries in at least their given versions. A missing version is another
 * check's finding.
 */
const showsAll = (items: readonly Delivery[], expected: readonly Delivery[]): boolean =>
  expected.every(({ id, version }) => items.some((item) => item.id === id && !(item.version < version)));

/** The list once it contains the deliveries in their current versions, otherwise the last list read. */
export async function listOnceShown(
  api: Api,
  window: ListQuery,
  expected: readonly Delivery[],
  within = LIST_LAG_MS,
): Promise<readonly Delivery[]> {
  let items: readonly Delivery[] = [];
  const read = async () => {
    items = await listDeliveries(api, window);
    return showsAll(items, expected) || undefined;
  };
  await poll(read, { within, every: 200 });
  return items;
}

/**
 * Waits until a list contains the deliveries in their current versions. Later queries must find them. A
 * timeout isn't a failure here, because the check's own query reports it.
 * @returns true if the list contains them
 */
export const waitUntilListed = async (...listArguments: Parameters<typeof listOnceShown>): Promise<boolean> =>
  showsAll(await listOnceShown(...listArguments), listArguments[2]);

/** The deliveries with an external_ref. No time window applies (LIST-18, LIST-19). */
export const findByReference = (api: Api, external_ref: string): Promise<readonly Delivery[]> =>
  listDeliveries(api, { external_ref });

/** Asserts that a list by external_ref isn't empty. Many checks find their deliveries by external_ref. */
export function expectFound(items: readonly Delivery[], external_ref: string): void {
  expectThat("the deliveries that the list shows for an external_ref", idsOf(items), {
    note: `'${external_ref}', of ${external_ref.length} characters`,
    fault: "GET /v1/deliveries with the external_ref of a delivery finds nothing",
  }).isNotEmpty();
}

/**
 * Finds the deliveries with an external_ref, once the list contains the given id and so all earlier ones.
 * @throws CheckFailure if the list is empty
 */
export async function findOnceListed(
  api: Api,
  external_ref: string,
  id: string,
): Promise<readonly Delivery[]> {
  const seen = await poll(
    async () => {
      const items = await findByReference(api, external_ref);
      return items.some((item) => item.id === id) ? items : undefined;
    },
    { within: LIST_LAG_MS, every: 200 },
  );
  const items = seen ?? (await findByReference(api, external_ref));
  await auxiliaryStep(async () => expectFound(items, external_ref));
  return items;
}
