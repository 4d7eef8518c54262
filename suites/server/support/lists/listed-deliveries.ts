import type { Schemas } from "../../../core/contract/document.ts";
import { inUnits } from "../../../core/durations.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";

type Delivery = Pick<Schemas["Delivery"], "id" | "updated_at">;

/** The text that all failures about deliveries missing after a cursor share. */
export const OMITTED =
  "the pages after a cursor omit deliveries that follow it, or that changed after it was returned";

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

/**
 * Asserts that the pages after the cursors contained deliveries.
 * @param listed the listed deliveries in order
 * @param expected the expected deliveries in their current state
 * @param what describes the expected deliveries
 */
export function expectListed(
  listed: readonly Delivery[],
  expected: readonly Delivery[],
  what: string,
  before: readonly Delivery[] = [],
): void {
  const lost = expected.filter(({ id }) => !listed.some((item) => item.id === id));
  const [first] = lost;
  if (!first) return;
  throw new CheckFailure(
    {
      subject: "the pages from cursor to cursor",
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
