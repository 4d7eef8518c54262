import { instant, poll } from "../../core/clock.ts";
import type { Schemas } from "../../core/document.ts";
import type { Api } from "../session/api.ts";
import { pages } from "./list-pages.ts";

type Delivery = Schemas["Delivery"];
export type ListQuery = NonNullable<Parameters<Api["listDeliveries"]>[0]>;

/** As long as this a list may take to show what was written (OPEN-146). */
export const LIST_LAG_MS = 10_000;
/** Whether the ends of a time filter belong to it is open, and so is its precision (OPEN-141). */
export const MARGIN_MS = 2_000;

/** An instant so much after another, or before it where it's negative. */
export const shifted = (from: string, milliseconds: number): string =>
  instant(Date.parse(from) + milliseconds);

/** The list from the creation of a delivery on, at one store: what a check made since, and perhaps others' beside it. */
export const since = (first: Delivery, external_store_id: string): ListQuery => ({
  external_store_id,
  created_from: shifted(first.created_at, -MARGIN_MS),
});

/** All that a query finds, read in the largest pages. */
export const listed = async (api: Api, query: ListQuery): Promise<readonly Delivery[]> =>
  (await pages(api, { limit: 200, ...query })).flatMap(({ items }) => items);

export const idsOf = (deliveries: readonly Delivery[]): readonly string[] => deliveries.map(({ id }) => id);

/** Whether a list shows deliveries, each at least as new as it was read. */
const showsAll = (items: readonly Delivery[], due: readonly Delivery[]): boolean =>
  due.every(({ id, version }) => items.some((item) => item.id === id && item.version >= version));

/**
 * Waits until a list shows deliveries as they are now: from then on each query has to find them. That it doesn't in
 * time is no finding here; the check's own query is about to tell.
 * @returns whether it does
 */
export async function untilShown(
  api: Api,
  window: ListQuery,
  due: readonly Delivery[],
  within = LIST_LAG_MS,
): Promise<boolean> {
  const shown = await poll(async () => showsAll(await listed(api, window), due) || undefined, {
    within,
    every: 200,
  });
  return shown ?? false;
}
