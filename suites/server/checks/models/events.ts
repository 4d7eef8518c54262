import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeTo } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { numberOf } from "../../../core/json.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { eventsOf } from "../../support/delivery-events.ts";
import { OF_MOVE } from "../webhooks/event-kinds.ts";
import type { ModelDelivery } from "./lifecycle.ts";

/** Clauses by which an event type is sent. */
const CLAUSES_OF_KINDS: Readonly<Record<string, readonly ClauseId[]>> = {
  ...OF_MOVE,
  queued: [clause["EVENT-14"], clause["STATE-16"]],
  offered: [clause["EVENT-15"], clause["STATE-15"]],
};
/** The clause for all other courier actions. */
const NAMED_FOR_MOVES: readonly ClauseId[] = [clause["EMIT-9"]];
const clausesOf = (kind: string) => CLAUSES_OF_KINDS[kind] ?? NAMED_FOR_MOVES;

/**
 * Types that may be sent repeatedly: offers may be repeated (OPEN-202), and queueing again may be reported
 * (OPEN-84).
 */
const REPEATED = ["offered", "queued"];

const descending = (one: number, other: number) => other - one;

/** The data.version of all events of one type, highest first. */
const reportedVersions = (inbox: Inbox, known: ModelDelivery, kind: string): readonly number[] =>
  eventsOf(inbox, known)
    .filter((attempt) => kindOf(attempt) === `delivery.${kind}`)
    .map((attempt) => numberOf(deliveryOf(attempt)?.version))
    .toSorted(descending);

const kindsOf = ({ expectedEvents }: ModelDelivery) => [...new Set(expectedEvents.map(({ kind }) => kind))];

/** The lowest possible version of each required event of a type, highest first. */
const dueVersions = ({ expectedEvents }: ModelDelivery, kind: string): readonly number[] =>
  expectedEvents
    .filter((one) => one.due && one.kind === kind)
    .map(({ version }) => version)
    .toSorted(descending);

/** True if each expected event has arrived, in its version or a later one. */
const isReported = (inbox: Inbox, known: ModelDelivery): boolean =>
  kindsOf(known).every((kind) => {
    const versions = reportedVersions(inbox, known, kind);
    return dueVersions(known, kind).every((version, index) => (versions[index] ?? 0) >= version);
  });

/**
 * Waits until all expected events have arrived. A timeout isn't a failure here, because a later assertion
 * reports the missing event.
 * @returns true if all have arrived
 */
export async function waitUntilReported(
  inbox: Inbox,
  deliveries: readonly ModelDelivery[],
  within: number,
): Promise<boolean> {
  try {
    const allTold = () => deliveries.every((known) => isReported(inbox, known));
    await inbox.waitUntil(allTold, "all that happened", within);
    return true;
  } catch (error) {
    if (error instanceof CheckFailure) return false;
    throw error;
  }
}

/** Asserts that all expected events have arrived, and none for a refused request. */
export function expectEvents(inbox: Inbox, known: ModelDelivery): void {
  const { name, openedAs, stage, expectedEvents, omittedActions, actions } = known;
  for (const kind of kindsOf(known)) {
    const versions = reportedVersions(inbox, known, kind);
    attributeTo(clausesOf(kind), () => {
      expectThat(`events delivery.${kind} of ${name}`, versions.length).isAtLeast(
        dueVersions(known, kind).length,
      );
      for (const [index, version] of dueVersions(known, kind).entries()) {
        const what = `data.version of delivery.${kind} of ${name}, number ${index + 1} from the last`;
        expectThat(what, versions[index] ?? 0).isAtLeast(version);
      }
    });
  }
  if (stage === "unspecified") return;
  const open = [
    ...REPEATED,
    // A skipped action may be reported with the next one, and a failure with the return (OPEN-91).
    ...omittedActions,
    ...(actions.includes("returning") ? ["failed"] : []),
    // A geocoding service may report the location (OPEN-83).
    ...(openedAs === "received" ? ["updated"] : []),
  ];
  const kinds = new Set(eventsOf(inbox, known).map((attempt) => kindOf(attempt).replace(/^delivery\./, "")));
  for (const kind of [...kinds].filter((one) => !open.includes(one))) {
    const most = expectedEvents.filter((one) => one.kind === kind).length;
    attributeTo(clausesOf(kind), () =>
      expectThat(`events delivery.${kind} of ${name}`, reportedVersions(inbox, known, kind).length).isAtMost(
        most,
      ),
    );
  }
}
