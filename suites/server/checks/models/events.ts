import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { numberOf } from "../../../core/json.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { eventsOf } from "../../support/webhooks/delivery-events.ts";
import { CLAUSES_OF_COURIER_EVENTS } from "../webhooks/event-kinds.ts";
import type { ModelDelivery } from "./lifecycle.ts";

const KIND_CLAUSES: Readonly<Record<string, readonly ClauseId[]>> = {
  ...CLAUSES_OF_COURIER_EVENTS,
  queued: [clause["EVENT-14"], clause["STATE-16"]],
  offered: [clause["EVENT-15"], clause["STATE-15"]],
};
const DEFAULT_CLAUSES: readonly ClauseId[] = [clause["EMIT-9"]];
const clausesOf = (kind: string) => KIND_CLAUSES[kind] ?? DEFAULT_CLAUSES;

/**
 * Event types that may be sent again: for further offers (OPEN-202), and after returning to the queue
 * (OPEN-84).
 */
const REPEATABLE_KINDS = ["offered", "queued"];

const descending = (left: number, right: number) => right - left;

/** The data.version of all events of a type, highest first. */
const reportedVersions = (inbox: Inbox, expected: ModelDelivery, kind: string): readonly number[] =>
  eventsOf(inbox, expected)
    .filter((attempt) => kindOf(attempt) === `delivery.${kind}`)
    .map((attempt) => numberOf(deliveryOf(attempt)?.version))
    .toSorted(descending);

const kindsOf = ({ expectedEvents }: ModelDelivery) => [...new Set(expectedEvents.map(({ kind }) => kind))];

/** The lowest possible version of each required event of a type, highest first. */
const expectedVersions = ({ expectedEvents }: ModelDelivery, kind: string): readonly number[] =>
  expectedEvents
    .filter((event) => event.required && event.kind === kind)
    .map(({ version }) => version)
    .toSorted(descending);

/** True if each expected event has arrived, in the expected version or a later version. */
const isReported = (inbox: Inbox, expected: ModelDelivery): boolean =>
  kindsOf(expected).every((kind) => {
    const versions = reportedVersions(inbox, expected, kind);
    return expectedVersions(expected, kind).every((version, index) => (versions[index] ?? 0) >= version);
  });

/**
 * Waits until all expected events have arrived. After a timeout, `expectEvents` reports the missing event.
 * @returns true if all events have arrived
 */
export async function waitUntilReported(
  inbox: Inbox,
  deliveries: readonly ModelDelivery[],
  within: number,
): Promise<boolean> {
  try {
    const allReported = () => deliveries.every((expected) => isReported(inbox, expected));
    await inbox.waitUntil(allReported, "all expected events", within);
    return true;
  } catch (error) {
    if (error instanceof CheckFailure) return false;
    throw error;
  }
}

/** Asserts that all expected events have arrived, and that no refused request has caused an event. */
export function expectEvents(inbox: Inbox, expected: ModelDelivery): void {
  const { name, openedAs, stage, expectedEvents, omittedActions, actions } = expected;
  for (const kind of kindsOf(expected)) {
    const versions = reportedVersions(inbox, expected, kind);
    attributeFailures(clausesOf(kind), () => {
      expectThat(`events delivery.${kind} of ${name}`, versions.length).isAtLeast(
        expectedVersions(expected, kind).length,
      );
      for (const [index, version] of expectedVersions(expected, kind).entries()) {
        const what = `data.version of delivery.${kind} of ${name}, number ${index + 1} from the newest event`;
        expectThat(what, versions[index] ?? 0).isAtLeast(version);
      }
    });
  }
  if (stage === "unspecified") return;
  const optionalKinds = [
    ...REPEATABLE_KINDS,
    // A server may report a skipped action together with the next action, and a failure together with the
    // return (OPEN-91).
    ...omittedActions,
    ...(actions.includes("returning") ? ["failed"] : []),
    // A service that geocodes may report the location it found (OPEN-83).
    ...(openedAs === "received" ? ["updated"] : []),
  ];
  const kinds = new Set(
    eventsOf(inbox, expected).map((attempt) => kindOf(attempt).replace(/^delivery\./, "")),
  );
  for (const kind of [...kinds].filter((type) => !optionalKinds.includes(type))) {
    const maximum = expectedEvents.filter((event) => event.kind === kind).length;
    attributeFailures(clausesOf(kind), () =>
      expectThat(
        `events delivery.${kind} of ${name}`,
        reportedVersions(inbox, expected, kind).length,
      ).isAtMost(maximum),
    );
  }
}
