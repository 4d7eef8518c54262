import { isoInstant, poll } from "../../core/clock.ts";
import type { Schemas } from "../../core/contract/document.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { textOf } from "../../core/json.ts";
import type { Api } from "../session/http/api.ts";
import { LIST_LAG_MS } from "../session/lists/list-readings.ts";
import { instantIn } from "./shown-values.ts";

type Delivery = Schemas["Delivery"];

export type ListQuery = NonNullable<Parameters<Api["listDeliveries"]>[0]>;

/** The precision of a time filter and the inclusion of its ends are open (OPEN-141). */
export const FILTER_MARGIN_MS = 2_000;

/** An instant this much after another; a negative amount gives one before it. */
export const shiftInstant = (from: string, milliseconds: number): string =>
  isoInstant(instantIn(from, "an instant of the delivery") + milliseconds);

/** Lists the deliveries of one store since the creation of a delivery, perhaps with those of other checks. */
export const sinceOpeningOf = (first: Delivery, external_store_id: string): ListQuery => ({
  external_store_id,
  created_from: shiftInstant(first.created_at, -FILTER_MARGIN_MS),
});

/**
 * Expects the cursor of a page that another one follows. Its type is unspecified: text or a number can be sent as
 * `since`.
 */
export const expectCursor = (next_cursor: unknown): void =>
  expectThat("next_cursor of a page before the last", next_cursor).satisfies(
    "text or a number",
    isCursor(next_cursor),
  );

export const isCursor = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** Pages that a check follows at the most: a list that never ends is a fault, not a reason to hang. */
const MAX_PAGES = 300;

interface Page {
  readonly items: readonly Delivery[];
  readonly next_cursor: string | number | null;
  readonly has_more: boolean;
}

/** Follows the list from its first page, or from a cursor, until has_more is false. */
export async function readPages(api: Api, query: ListQuery): Promise<readonly Page[]> {
  const found: Page[] = [];
  let cursor = query.since;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await api.listDeliveries({ ...query, ...(cursor === undefined ? {} : { since: cursor }) });
    const { items, next_cursor = null, has_more } = answer.body(200);
    found.push({ items, next_cursor, has_more });
    if (!has_more) return found;
    if (next_cursor === null || textOf(next_cursor) === cursor) {
      return answer.fail("has_more is true, but next_cursor leads nowhere", {
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

/** All that a query finds, read in the largest pages. */
export const listDeliveries = async (api: Api, query: ListQuery): Promise<readonly Delivery[]> =>
  (await readPages(api, { limit: 200, ...query })).flatMap(({ items }) => items);

export const idsOf = (deliveries: readonly Delivery[]): readonly string[] => deliveries.map(({ id }) => id);

/** True if a list shows the deliveries, none of them older than given. A missing version is another check's finding. */
const showsAll = (items: readonly Delivery[], due: readonly Delivery[]): boolean =>
  due.every(({ id, version }) => items.some((item) => item.id === id && !(item.version < version)));

/**
 * Waits until a list shows deliveries as they are now. Each later query must find them. A timeout is no failure here:
 * the check's own query reports it.
 * @returns true if the list shows them
 */
export async function waitUntilListed(
  api: Api,
  window: ListQuery,
  due: readonly Delivery[],
  within = LIST_LAG_MS,
): Promise<boolean> {
  const shown = await poll(async () => showsAll(await listDeliveries(api, window), due) || undefined, {
    within,
    every: 200,
  });
  return shown ?? false;
}

/** The deliveries with an order number, found by it: no time window applies (LIST-18, LIST-19). */
export const findByReference = (api: Api, external_ref: string): Promise<readonly Delivery[]> =>
  listDeliveries(api, { external_ref });

/**
 * Finds the deliveries with an order number once the list shows the known one. Earlier deliveries are shown by then
 * too.
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
  return seen ?? findByReference(api, external_ref);
}
