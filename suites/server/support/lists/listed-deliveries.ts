import type { Schemas } from "../../../core/contract/document.ts";
import { inUnits } from "../../../core/durations.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { entries } from "../../../core/grading/failures/mismatch.ts";

type Delivery = Pick<Schemas["Delivery"], "id" | "updated_at">;

/** The text that all failures about deliveries missing from pages share. */
export const OMITTED =
  "reading pages from cursor to cursor until has_more is false doesn't return each delivery in its latest version";

/** A page of the list. `has_more` and `limit` may be unknown. */
interface ListedPage {
  readonly items: readonly Delivery[];
  readonly has_more?: boolean;
  readonly limit?: number | undefined;
}

/**
 * Unix time in microseconds. Date has milliseconds only, and a cursor with less precision than the times
 * loses deliveries.
 */
const microsecondsOf = (instant: string): number =>
  Math.floor(Date.parse(instant) / 1000) * 1e6 +
  Math.round(Number(/(?<=:\d\d)\.\d+/.exec(instant)?.[0] ?? 0) * 1e6);

/** The distance of a delivery from the previous one, because imprecise cursors lose deliveries close in time. */
function describeGap(lost: Delivery, listed: readonly Delivery[]): string {
  const at = microsecondsOf(lost.updated_at);
  const before = listed
    .filter(({ id, updated_at }) => id !== lost.id && microsecondsOf(updated_at) <= at)
    .at(-1);
  const gap = before && at - microsecondsOf(before.updated_at);
  if (gap === undefined || Number.isNaN(gap)) return `its updated_at is ${lost.updated_at}`;
  const behind = gap === 0 ? "the same as" : `${inUnits(gap / 1e6)} after`;
  return `its updated_at, ${lost.updated_at}, is ${behind} that of the previous delivery`;
}

/** Where reading ended, because has_more may be wrong, and a page that was filtered after it was cut has too few entries. */
function describeEnd(pages: readonly ListedPage[]): string {
  const last = pages.at(-1);
  if (last?.has_more !== false) return "";
  const size = `${entries(last.items.length)}${last.limit === undefined ? "" : `, limit ${last.limit}`}`;
  return `, which end with page ${pages.length} (${size}, has_more false),`;
}

/**
 * Asserts that the pages contained deliveries.
 * @param pages the pages in order
 * @param expected the expected deliveries in their current state
 * @param what describes the expected deliveries
 */
export function expectListed(
  pages: readonly ListedPage[],
  expected: readonly Delivery[],
  what: string,
  before: readonly Delivery[] = [],
): void {
  const listed = pages.flatMap(({ items }) => items);
  const lost = expected.filter(({ id }) => !listed.some((item) => item.id === id));
  const [first] = lost;
  if (!first) return;
  throw new CheckFailure(
    {
      subject: `the pages of the list${describeEnd(pages)}`,
      relation: "to include",
      expected: `${first.id} of ${first.updated_at}`,
      actual: listed.map(({ id, updated_at }) => `${id} of ${updated_at}`),
      note: `${lost.length} of ${expected.length} ${what} not listed; ${describeGap(first, [...before, ...listed])}`,
    },
    { fault: OMITTED },
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
