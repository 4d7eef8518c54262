import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { namedSchemaError, type Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { type EventKind, LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { subjectParts } from "../../../core/grading/failures/mismatch.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { BaseContext } from "../../check.ts";
import {
  type Attempt,
  deliveryOf,
  envelopeOf,
  firstAttempts,
  isOfKind,
  kindOf,
} from "../../session/webhook-receiver/attempt.ts";
import { ARRIVAL_MS, type Inbox } from "../../session/webhook-receiver/inbox.ts";
import { cancelDelivery, changeDelivery, createDelivery } from "../orders/deliveries.ts";

type Delivery = Schemas["Delivery"];
type Id = Pick<Delivery, "id">;

/** The event types that {@link createChangeAndCancel} causes. They need no control interface. */
export const INTEGRATOR_KINDS = [
  "delivery.created",
  "delivery.queued",
  "delivery.updated",
  "delivery.cancelled",
] as const satisfies readonly EventKind[];

/** The event types of {@link createChangeAndCancel} after the creation. */
export const LATER_KINDS = INTEGRATOR_KINDS.filter((kind) => kind !== "delivery.created");

/** The event types of a courier's actions up to the delivery. */
export const COURIER_KINDS = elementsOf("courier-actions-until-delivery").map(
  (action) => `delivery.${action}` as const,
);

/** The event types of courier actions that a service may not have: offers, failures and returns. */
export const OPTIONAL_COURIER_KINDS = [
  "delivery.offered",
  "delivery.failed",
  "delivery.returning",
  "delivery.returned",
] as const satisfies readonly EventKind[];

/** Creates a delivery with coordinates, changes its notes and cancels it. Returns its final state. */
export async function createChangeAndCancel(
  context: Pick<BaseContext, "api" | "order">,
  overrides?: Partial<Schemas["NewDelivery"]>,
): Promise<Delivery> {
  const { id } = await createDelivery(context, overrides);
  await changeDelivery(context.api, id, { notes: "Zile basmayın, kapıya bırakın" });
  return cancelDelivery(context.api, id);
}

/** True if an attempt's event is about the delivery, and of this type if one is given. */
export const isAbout =
  ({ id }: Id, kind?: EventKind) =>
  (attempt: Attempt): boolean =>
    deliveryOf(attempt)?.id === id && (kind === undefined || isOfKind(kind)(attempt));

/** A delivery's events so far, without repetitions. */
export const eventsOf = ({ attempts }: Inbox, delivery: Id): readonly Attempt[] =>
  firstAttempts(attempts).filter(isAbout(delivery));

/** The types of a delivery's events so far, in order of arrival. */
export const kindsOf = (inbox: Inbox, delivery: Id): readonly string[] =>
  eventsOf(inbox, delivery).map(kindOf);

/** The number of events of a type so far, without repetitions. */
export const countOf = (inbox: Inbox, kind: EventKind, delivery: Id): number =>
  eventsOf(inbox, delivery).filter(isOfKind(kind)).length;

/** Asserts exactly one event of a type so far. A second event violates `duplicateClause`. */
export function expectOnce(inbox: Inbox, kind: EventKind, delivery: Id, duplicateClause: ClauseId): void {
  const count = countOf(inbox, kind, delivery);
  const expectation = () => expectThat(`${kind} events of the delivery`, count).is(1);
  if (count > 1) attributeFailures([duplicateClause], expectation);
  else expectation();
}

/**
 * Asserts that delivery.queued was sent at most once for the creation of a delivery with coordinates, and at
 * most once more for each courier who was offered or assigned it. The search starts again when a courier
 * leaves (OPEN-92). `lapses` are those that the check caused: the delivery.offered of such an offer may still
 * be under way (OPEN-198).
 */
export function expectNoNeedlessSearch(inbox: Inbox, delivery: Id, lapses = 0): void {
  const offers = Math.max(lapses, countOf(inbox, "delivery.offered", delivery));
  const couriers = offers + countOf(inbox, "delivery.assigned", delivery);
  const searches = countOf(inbox, "delivery.queued", delivery);
  expectThat(`delivery.queued events for ${couriers} offers or assignments`, searches).isAtMost(1 + couriers);
}

/**
 * Asserts that an event's data is the full delivery, as returned by GET.
 * @param what the event or attempt in words
 */
export function expectFullDelivery(event: Attempt, what = kindOf(event)): void {
  const delivery = deliveryOf(event);
  if (delivery === undefined) {
    const { data = described("none") } = envelopeOf(event);
    throw new CheckFailure({
      ...subjectParts({ field: "data", where: `of ${what}` }),
      relation: "to be",
      expected: described("the full delivery"),
      actual: data,
    });
  }
  const fault = namedSchemaError("Delivery", delivery);
  if (fault === undefined) return;
  throw new CheckFailure({
    subject: `the data of ${what}`,
    relation: "to match",
    expected: described("the document's Delivery"),
    actual: described(fault),
  });
}

/** Waits for an event of this type about the delivery. Returns its first attempt. */
export const waitForEvent = (inbox: Inbox, kind: EventKind, delivery: Id): Promise<Attempt> =>
  inbox.waitForFirst(isAbout(delivery, kind), { field: kind, where: `of ${delivery.id}` });

/** A service may report positions only every 30 seconds (specification, "Limits"). */
const POSITION_MS = 30_000 + ARRIVAL_MS;

/** Waits for this many reported positions. */
export const waitForPositions = (inbox: Inbox, delivery: Id, count: number): Promise<void> =>
  inbox.waitUntil(
    () => countOf(inbox, LOCATION_KIND, delivery) >= count,
    count === 1 ? `${LOCATION_KIND} of ${delivery.id}` : `${count} × ${LOCATION_KIND} of ${delivery.id}`,
    POSITION_MS,
  );

/** Waits for an event of each type about the delivery, in any order. */
export async function waitForEvents(inbox: Inbox, kinds: readonly EventKind[], delivery: Id): Promise<void> {
  for (const kind of kinds) await waitForEvent(inbox, kind, delivery);
}
