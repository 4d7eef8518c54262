import type { Schemas } from "../../../core/contract/document.ts";
import { inUnits } from "../../../core/durations.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { entries, forbiddenObservation } from "../../../core/grading/failures/mismatch.ts";
import { described } from "../../../core/text/shown-value.ts";

type Delivery = Pick<Schemas["Delivery"], "id" | "updated_at">;

/** The text that all failures about deliveries missing from pages share. */
export const OMITTED =
  "reading pages from cursor to cursor until has_more is false doesn't return each delivery in its latest version";

/** The text that all failures about a last page that isn't the last share. */
export const ENDED_EARLY = "has_more is false on a full page although more deliveries follow";

/** A page of the list. `has_more` and `limit` may be unknown. */
export interface ListedPage {
  readonly items: readonly Delivery[];
  readonly has_more?: boolean;
  readonly limit?: number | undefined;
}

const itemsOf = (pages: readonly ListedPage[]) => pages.flatMap(({ items }) => items);

/**
 * Unix time in microseconds. Date has milliseconds only, and a cursor with less precision than the times
 * loses deliveries.
 */
const microsecondsOf = (instant: string): number =>
  Math.floor(Date.parse(instant) / 1000) * 1e6 +
  Math.round(Number(/(?<=:\d\d)\.\d+/.exec(instant)?.[0] ?? 0) * 1e6);

/**
 * The distance of a delivery from the previous one, because imprecise cursors lose deliveries close in time.
 * @param earlier the items of earlier pages
 */
function describeGap(lost: Delivery, earlier: readonly Delivery[], pages: readonly ListedPage[]): string {
  const at = microsecondsOf(lost.updated_at);
  const before = [...earlier, ...itemsOf(pages)]
    .filter(({ id, updated_at }) => id !== lost.id && microsecondsOf(updated_at) <= at)
    .at(-1);
  const gap = before && at - microsecondsOf(before.updated_at);
  if (gap === undefined || Number.isNaN(gap)) return `its updated_at is ${lost.updated_at}`;
  const behind = gap === 0 ? "the same as" : `${inUnits(gap / 1e6)} after`;
  const distance = `its updated_at, ${lost.updated_at}, is ${behind} that of the previous delivery`;
  const cursorPages = [{ items: earlier }, ...pages.filter(({ has_more }) => has_more)];
  return gap === 0 && cursorPages.some(({ items }) => items.at(-1) === before)
    ? `${distance}, the last one on its page: the cursor may skip deliveries with the same updated_at`
    : distance;
}

/** Where reading ended, because has_more may be wrong, and a page that was filtered after it was cut has too few entries. */
function describeEnd(pages: readonly ListedPage[]): string {
  const last = pages.at(-1);
  if (last?.has_more !== false) return "";
  const size = `${entries(last.items.length)}${last.limit === undefined ? "" : `, limit ${last.limit}`}`;
  return `reading ended at page ${pages.length} (${size}, has_more false)`;
}

const notListed = <T extends Delivery>(pages: readonly ListedPage[], expected: readonly T[]): readonly T[] =>
  expected.filter(({ id }) => !itemsOf(pages).some((item) => item.id === id));

/** The last page, if its has_more is false, and the missing deliveries come after it. */
function lastBefore(pages: readonly ListedPage[], lost: readonly Delivery[]): ListedPage | undefined {
  const last = pages.at(-1);
  const end = last?.items.at(-1);
  if (end === undefined || last?.has_more !== false) return undefined;
  const reached = microsecondsOf(end.updated_at);
  return lost.every(({ updated_at }) => microsecondsOf(updated_at) >= reached) ? last : undefined;
}

/**
 * True if has_more was false on a full page, and no cursor skipped the missing deliveries: it is the only page, or they come
 * after it.
 */
function endedEarly(pages: readonly ListedPage[], lost: readonly Delivery[]): boolean {
  const last = pages.length === 1 ? pages[0] : lastBefore(pages, lost);
  if (last?.has_more !== false || last.limit === undefined || last.items.length === 0) return false;
  return last.items.length >= last.limit;
}

/** True if has_more was false on a page with fewer entries than its limit, before the missing deliveries. */
function endedShort(pages: readonly ListedPage[], lost: readonly Delivery[]): boolean {
  const { limit, items = [] } = lastBefore(pages, lost) ?? {};
  return limit !== undefined && items.length < limit;
}

const identified = ({ id, updated_at }: Delivery): string => `${id} of ${updated_at}`;

/** The failure of missing deliveries. The message begins with their number. */
const omission = (
  pages: readonly ListedPage[],
  lost: readonly Delivery[],
  { number, details }: { readonly number: string; readonly details: readonly string[] },
): CheckFailure =>
  new CheckFailure(
    forbiddenObservation(
      `${number} not listed: ${[...details, describeEnd(pages)].filter((text) => text !== "").join("; ")}`,
      {
        expected: described(`also ${lost.map(identified).join(", ")}`),
        actual: itemsOf(pages).map(identified),
      },
    ),
    { fault: endedEarly(pages, lost) ? ENDED_EARLY : OMITTED },
  );

/**
 * Asserts that the pages contained deliveries.
 * @param pages the pages in order
 * @param expected the expected deliveries in their current state
 * @param what describes the expected deliveries
 * @param before the items of earlier pages
 * @param circumstanceOf what else may have caused the omission of a delivery
 */
export function expectListed(
  pages: readonly ListedPage[],
  expected: readonly Delivery[],
  what: string,
  before: readonly Delivery[] = [],
  circumstanceOf: (lost: Delivery) => string = () => "",
): void {
  const lost = notListed(pages, expected);
  const [first] = lost;
  if (!first) return;
  const detailsOf = ({ id }: Delivery): readonly string[] => {
    // In the first two cases no cursor skipped it, so its distance from the previous one says nothing.
    if (endedEarly(pages, lost)) return [`the first is ${id}`];
    if (pages.length === 1 && endedShort(pages, lost))
      return [`the first is ${id}, as if the page was cut to its limit before it was filtered`];
    return [`the first is ${id}, and ${describeGap(first, before, pages)}`, circumstanceOf(first)];
  };
  throw omission(pages, lost, {
    number: `${lost.length} of ${expected.length} ${what}`,
    details: detailsOf(first),
  });
}

/** A delivery in its current state, and the name of its latest change. */
export interface ChangedDelivery<T extends Delivery = Delivery> {
  readonly change: string;
  readonly delivery: T;
}

/**
 * Asserts that pages contained the deliveries that changed after the cursor of these pages was returned.
 * @param before the items of earlier pages, with the deliveries in their state before the change
 */
export function expectChangesListed(
  pages: readonly ListedPage[],
  changed: readonly ChangedDelivery[],
  before: readonly Delivery[],
): void {
  const lost = changed.filter(({ delivery }) => notListed(pages, [delivery]).length > 0);
  if (lost.length === 0) return;
  const changes = lost.map(({ change, delivery }) => {
    const earlier = before.findLast(({ id }) => id === delivery.id)?.updated_at;
    return `${change} (${earlier === delivery.updated_at ? "which didn't change updated_at" : `updated_at ${delivery.updated_at}`})`;
  });
  throw omission(
    pages,
    lost.map(({ delivery }) => delivery),
    {
      number: `${lost.length} of ${changed.length} deliveries that changed after the cursor was returned`,
      details: [`those with ${changes.join(", ")}`],
    },
  );
}

/**
 * Asserts that the pages contained the latest version of a delivery. Comparing its fields would report a lost
 * change instead of a lost page.
 * @param name the delivery's name in the transcript
 * @param listed the delivery's newest listed version
 */
export function expectLatestVersionListed(name: string, listed: Schemas["Delivery"], version: number): void {
  expectThat({ field: "version", where: `of ${name} on the pages after a cursor` }, listed.version, {
    note: `its change after the cursor isn't listed; its last listed updated_at is ${listed.updated_at}`,
    fault: OMITTED,
  }).isAtLeast(version);
}
