import type { Schemas } from "../../core/document.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Api } from "../session/api.ts";

type Query = NonNullable<Parameters<Api["listDeliveries"]>[0]>;

/** Pages that a check follows at the most: a list that never ends is a fault, not a reason to hang. */
const MOST_PAGES = 300;

/** The deliveries with an order number, found by it: no time window applies (LIST-18, LIST-19). */
export async function itemsWithReference(
  api: Api,
  external_ref: string,
): Promise<readonly Schemas["Delivery"][]> {
  return (await api.listDeliveries({ external_ref })).body(200).items;
}

export interface Page {
  readonly items: readonly Schemas["Delivery"][];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Follows the list from its first page, or from a cursor, until has_more is false. */
export async function pages(api: Api, query: Query): Promise<readonly Page[]> {
  const found: Page[] = [];
  let since = query.since;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await api.listDeliveries({ ...query, ...(since === undefined ? {} : { since }) });
    const { items, next_cursor = null, has_more } = answer.body(200);
    found.push({ items, next_cursor, has_more });
    if (!has_more) return found;
    if (next_cursor === null || next_cursor === since) {
      return answer.fail("has_more is true, but next_cursor leads nowhere", {
        expected: "a cursor that continues",
        actual: next_cursor,
      });
    }
    since = next_cursor;
  }
  throw new CheckFailure(`the list did not end within ${MOST_PAGES} pages`, {
    expected: "a page whose has_more is false",
    actual: `${found.length} pages with has_more true`,
  });
}
