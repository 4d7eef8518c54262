import { expect } from "vitest";
import { CheckFailure } from "../../../core/failure.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { eventsOf } from "../../support/delivery-events.ts";
import type { KnownDelivery } from "./lifecycle.ts";

/** Which may be told more often: offers may be repeated (OPEN-202), and what is queued anew is told or not (OPEN-84). */
const REPEATED = ["offered", "queued"];

const descending = (one: number, other: number) => other - one;

/** data.version of the events of one kind, the highest first. */
const told = (inbox: Inbox, known: KnownDelivery, kind: string): readonly number[] =>
  eventsOf(inbox, known)
    .filter((attempt) => kindOf(attempt) === `delivery.${kind}`)
    .map((attempt) => Number(deliveryOf(attempt)?.version))
    .toSorted(descending);

const kindsOf = ({ news }: KnownDelivery) => [...new Set(news.map(({ kind }) => kind))];

/** The lowest version that each due event of a kind can have, the highest first. */
const due = ({ news }: KnownDelivery, kind: string): readonly number[] =>
  news
    .filter((one) => one.due && one.kind === kind)
    .map(({ version }) => version)
    .toSorted(descending);

/** Whether each thing that happened has an event of its kind, in the version that it led to or a later one. */
const isTold = (inbox: Inbox, known: KnownDelivery): boolean =>
  kindsOf(known).every((kind) => {
    const versions = told(inbox, known, kind);
    return due(known, kind).every((version, index) => (versions[index] ?? 0) >= version);
  });

/**
 * Waits until all that happened is told. That it isn't in time is no finding here: what is missing is about to show.
 * @returns whether it is
 */
export async function untilTold(
  inbox: Inbox,
  deliveries: readonly KnownDelivery[],
  within: number,
): Promise<boolean> {
  try {
    const allTold = () => deliveries.every((known) => isTold(inbox, known));
    await inbox.until(allTold, "all that happened", within);
    return true;
  } catch (error) {
    if (error instanceof CheckFailure) return false;
    throw error;
  }
}

/** Asserts that what happened is told, and what was refused is not. */
export function expectNews(inbox: Inbox, known: KnownDelivery): void {
  const { name, openedAs, stage, news, omitted, moves } = known;
  for (const kind of kindsOf(known)) {
    const versions = told(inbox, known, kind);
    expect(versions.length, `events delivery.${kind} of ${name}`).toBeGreaterThanOrEqual(
      due(known, kind).length,
    );
    for (const [index, version] of due(known, kind).entries()) {
      const what = `data.version of delivery.${kind} of ${name}, number ${index + 1} from the last`;
      expect(versions[index] ?? 0, what).toBeGreaterThanOrEqual(version);
    }
  }
  if (stage === "astray") return;
  const open = [
    ...REPEATED,
    // What a courier leaves out may be told together with what comes next, and a failure with the way back (OPEN-91).
    ...omitted,
    ...(moves.includes("returning") ? ["failed"] : []),
    // What looks up addresses may tell what it found (OPEN-83).
    ...(openedAs === "received" ? ["updated"] : []),
  ];
  const kinds = new Set(eventsOf(inbox, known).map((attempt) => kindOf(attempt).replace(/^delivery\./, "")));
  for (const kind of [...kinds].filter((one) => !open.includes(one))) {
    const most = news.filter((one) => one.kind === kind).length;
    expect(told(inbox, known, kind).length, `events delivery.${kind} of ${name}`).toBeLessThanOrEqual(most);
  }
}
