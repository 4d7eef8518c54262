import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import { namedSchemaError, type Schemas } from "../../core/contract/document.ts";
import { type EventKind, LOCATION_KIND } from "../../core/contract/event-kinds.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { attributeTo } from "../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { described } from "../../core/text/shown-value.ts";
import type { BaseContext } from "../check.ts";
import {
  type Attempt,
  deliveryOf,
  firstAttempts,
  isOfKind,
  kindOf,
} from "../session/webhook-receiver/attempt.ts";
import { ARRIVAL_MS, type Inbox } from "../session/webhook-receiver/inbox.ts";
import { cancelDelivery, changeDelivery, openDelivery } from "./deliveries.ts";

type Delivery = Schemas["Delivery"];
type Id = Pick<Delivery, "id">;

/** The kinds that {@link openChangeAndCancel} causes: an integrator alone can cause them. */
export const INTEGRATOR_KINDS = [
  "delivery.created",
  "delivery.queued",
  "delivery.updated",
  "delivery.cancelled",
] as const satisfies readonly EventKind[];

/** Opens a delivery with coordinates, changes its note and cancels it. Returns it as it is then. */
export async function openChangeAndCancel(
  context: Pick<BaseContext, "api" | "order">,
  overrides?: Partial<Schemas["NewDelivery"]>,
): Promise<Delivery> {
  const { id } = await openDelivery(context, overrides);
  await changeDelivery(context.api, id, { notes: "Zile basmayın, kapıya bırakın" });
  return cancelDelivery(context.api, id);
}

/** True if an attempt's event is about the delivery, and of this kind if one is given. */
export const isAbout =
  ({ id }: Id, kind?: EventKind) =>
  (attempt: Attempt): boolean =>
    deliveryOf(attempt)?.id === id && (kind === undefined || isOfKind(kind)(attempt));

/** The events of a delivery by now, without repeats of the same event. */
export const eventsOf = ({ attempts }: Inbox, delivery: Id): readonly Attempt[] =>
  firstAttempts(attempts).filter(isAbout(delivery));

/** The kinds of a delivery's events by now, in the order of arrival. */
export const kindsOf = (inbox: Inbox, delivery: Id): readonly string[] =>
  eventsOf(inbox, delivery).map(kindOf);

/** The number of events of a kind by now, without repeats of the same event. */
export const countOf = (inbox: Inbox, kind: EventKind, delivery: Id): number =>
  eventsOf(inbox, delivery).filter(isOfKind(kind)).length;

/** Asserts that by now exactly one event of a kind came; a second one violates the clause. */
export function expectOnce(inbox: Inbox, kind: EventKind, delivery: Id, ofDuplicates: ClauseId): void {
  const count = countOf(inbox, kind, delivery);
  const expectation = () => expectThat(`events ${kind} of it`, count).is(1);
  if (count > 1) attributeTo([ofDuplicates], expectation);
  else expectation();
}

/**
 * Asserts that by now a delivery with coordinates was reported as queued at most once for its opening and once for each
 * courier who was asked or found: a courier who leaves makes it queued again (OPEN-92).
 */
export function expectNoNeedlessSearch(inbox: Inbox, delivery: Id): void {
  const couriers =
    countOf(inbox, "delivery.offered", delivery) + countOf(inbox, "delivery.assigned", delivery);
  const searches = countOf(inbox, "delivery.queued", delivery);
  expectThat(`events delivery.queued where ${couriers} couriers were asked`, searches).isAtMost(1 + couriers);
}

/** Asserts that an event has the full delivery as its data, of the shape that reading it has. */
export function expectFullDelivery(event: Attempt): void {
  const fault = namedSchemaError("Delivery", deliveryOf(event));
  if (fault === undefined) return;
  throw new CheckFailure({
    subject: `the data of ${kindOf(event)}`,
    relation: "to match",
    expected: described("the document's Delivery"),
    actual: described(fault),
  });
}

/** Waits for an event of this kind about the delivery, and returns its first attempt. */
export const waitForEvent = (inbox: Inbox, kind: EventKind, delivery: Id): Promise<Attempt> =>
  inbox.waitForFirst(isAbout(delivery, kind), `${kind} of ${delivery.id}`);

/** A service may look where couriers are from time to time, no more often than every 30 seconds (Limits). */
const POSITION_MS = 30_000 + ARRIVAL_MS;

/** Waits until a courier's position was reported this often. */
export const waitForPositions = (inbox: Inbox, delivery: Id, count: number): Promise<void> =>
  inbox.waitUntil(
    () => countOf(inbox, LOCATION_KIND, delivery) >= count,
    count === 1 ? `${LOCATION_KIND} of ${delivery.id}` : `${count} × ${LOCATION_KIND} of ${delivery.id}`,
    POSITION_MS,
  );

/** Waits for an event of each of these kinds about the delivery, in whatever order they come. */
export async function waitForEvents(inbox: Inbox, kinds: readonly EventKind[], delivery: Id): Promise<void> {
  for (const kind of kinds) await waitForEvent(inbox, kind, delivery);
}
