import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isObject } from "../../../core/json.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { type Attempt, deliveryOf, kindOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { COURIER, freshCourier, reportPosition } from "../../support/courier/courier.ts";
import {
  containsPoint,
  extractTrackingKey,
  getTracking,
  ROUNDING_DEGREES,
} from "../../support/courier/tracking.ts";
import { createDelivery, expectTimePassed, readDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { instantIn, numberIn } from "../../support/shown-values.ts";
import { countOf, eventsOf, waitForEvent, waitForPositions } from "../../support/webhooks/delivery-events.ts";
import { FAILURE, GONE, respondInTurn } from "../../support/webhooks/responses.ts";
import { RETRY_DELAYS_S, secondsUntilRetry } from "../../support/webhooks/retry-times.ts";
import { isClosedSoon } from "../../support/webhooks/subscriptions.ts";

type CourierContext = ContextFor<"receiver" | "courier">;

async function createDeliveryEnRoute(context: CourierContext) {
  const delivery = await createDelivery(context);
  await context.performCourierActionsUpTo(delivery.id, "en_route");
  return delivery;
}

/** Asserts that no position has come to an endpoint that doesn't list the kind or was deleted, while other endpoints list it. */
function expectNoPositions({ attempts }: Inbox, endpoint: string): void {
  const found = attempts.find((attempt) => kindOf(attempt) === LOCATION_KIND);
  if (!found) return;
  throw new WebhookFailure(
    {
      subject: `${LOCATION_KIND} at ${endpoint}, while another endpoint lists it`,
      relation: "not to arrive",
    },
    { attempts: [found] },
  );
}

const positions = check({
  id: "event-kinds.position",
  title:
    "a courier's position is sent to each endpoint that lists delivery.courier_location, and to no endpoint that doesn't or was deleted, although another one lists it",
  clauses: [clause["EVENT-30"], clause["EVENT-31"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const withPositions = await context.subscribe({ event_types: ["delivery.cancelled", LOCATION_KIND] });
    const onlyPositions = await context.subscribe({ event_types: [LOCATION_KIND] });
    const deleted = await context.subscribe({ event_types: [LOCATION_KIND] });
    (await context.api.call("deleteWebhook", { path: { id: deleted.id } })).expectSuccess();
    const others = {
      "a subscription to the default event types": await context.subscribe(),
      "a subscription to delivery.en_route": await context.subscribe({ event_types: ["delivery.en_route"] }),
    };
    const delivery = await createDeliveryEnRoute(context);
    // Omits the heading, because other checks report positions with one.
    await reportPosition(context, delivery.id, near(context.point, 3), null);
    context.attributeTo(clause["EVENT-30"]);
    await waitForPositions(withPositions.inbox, delivery, 1);
    await waitForPositions(onlyPositions.inbox, delivery, 1);
    context.attributeTo(clause["EVENT-31"]);
    await context.each(casesFrom("endpoints", others), async ([, { inbox, waitForSentinelEvent }]) => {
      await waitForEvent(inbox, "delivery.en_route", delivery);
      await waitForSentinelEvent();
      expectNoPositions(inbox, "an endpoint that doesn't list it");
    });
    expectNoPositions(deleted.inbox, "a deleted subscription that listed it");
  },
});

/** The minimum seconds between two reported positions (specification, "Limits"). */
const MIN_INTERVAL_S = 30;

/**
 * Reports eight positions of each delivery in quick succession, in turn and with courier actions in between. The control
 * interface may refuse those before and after the courier is en route.
 */
async function reportManyPositions(context: CourierContext, ids: readonly string[]): Promise<void> {
  const tryToReport = async (steps: number) => {
    const location = { ...near(context.point, steps), heading: 90 };
    for (const id of ids) await context.performCourierAction(id, "courier_location", { location });
  };
  const act = async (action: "at_pickup" | "picked_up" | "en_route" | "arrived") => {
    for (const id of ids)
      if (!(await context.performCourierAction(id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
    await tryToReport(2);
  };
  await tryToReport(1);
  await act("at_pickup");
  await act("picked_up");
  await act("en_route");
  for (const steps of [3, 4, 5])
    for (const id of ids) await reportPosition(context, id, near(context.point, steps));
  await act("arrived");
}

async function createAssignedDelivery(context: CourierContext) {
  const delivery = await createDelivery(context);
  await context.performCourierActionsUpTo(delivery.id, "assigned", { courier: freshCourier(COURIER) });
  return delivery;
}

const throttle = check({
  id: "event-kinds.position-limit",
  title:
    "positions of one delivery in quick succession are sent once, regardless of courier actions and other deliveries",
  clauses: [clause["LIMIT-32"], clause["LIMIT-34"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const first = await createAssignedDelivery(context);
    const second = await createAssignedDelivery(context);
    const start = context.now();
    await reportManyPositions(context, [first.id, second.id]);
    if (context.now() - start >= MIN_INTERVAL_S * 1000)
      throw new CheckSkipped(
        `these positions took more than ${MIN_INTERVAL_S} s, so more than one per delivery may be sent`,
      );
    context.attributeTo(clause["LIMIT-34"]);
    await waitForPositions(inbox, first, 1);
    await waitForPositions(inbox, second, 1);
    await waitForSentinelEvent();
    context.attributeTo(clause["LIMIT-32"]);
    // The service may count the 30 seconds from any time (OPEN-203), so a new interval may start within one of
    // the bursts.
    const counts = [first, second].map((delivery) => countOf(inbox, LOCATION_KIND, delivery));
    const what = `${LOCATION_KIND} events for several positions of a delivery within ${MIN_INTERVAL_S} s`;
    expectThat(what, Math.min(...counts)).is(1);
    expectThat(what, Math.max(...counts)).isAtMost(2);
  },
});

/** "At most once per 30 seconds" allows a service to report positions less often. */
const LONG_INTERVAL_S = 300;

const [ATTEMPT_2_DELAY_S] = RETRY_DELAYS_S;

/** A position with a direction, in degrees clockwise from north. */
type DirectedPoint = Point & { readonly heading: number };

/** The courier in an event's data. */
function courierIn(event: Attempt | undefined): Readonly<Record<string, unknown>> {
  const courier = event && deliveryOf(event)?.courier;
  return isObject(courier) ? courier : {};
}

/** Decimal places to which a shown position must agree, because a server may round to about 100 m. */
const POSITION_DECIMALS = 3;

type CourierOfDelivery = Schemas["Delivery"]["courier"];

interface ExpectedPosition {
  readonly which: "first" | "second";
  readonly place: Point;
  /** The position that was reported before, and the courier that GET shows now. */
  readonly stale?: { readonly place: Point; readonly read: CourierOfDelivery };
}

/** Asserts the courier's position in an event, unless the server shows none (OPEN-35). */
function expectPosition(event: Attempt | undefined, { which, place, stale }: ExpectedPosition): void {
  for (const axis of ["lat", "lng"] as const) {
    const what = { field: `courier.${axis}`, where: `in the ${which} ${LOCATION_KIND}` };
    const shown = numberIn(courierIn(event)[axis] ?? place[axis], what);
    const isStale = stale && Math.abs(shown - stale.place[axis]) < ROUNDING_DEGREES;
    const read = stale?.read?.[axis] ?? null;
    const inGet = read === null ? "" : `, while GET shows ${read}`;
    expectThat(what, shown, {
      note: isStale ? `it is that of the first position${inGet}` : undefined,
    }).isNear(place[axis], POSITION_DECIMALS);
  }
}

/** The time of the position in an event as Unix time in milliseconds, or `ifNone` if the server shows none. */
function positionTime(event: Attempt | undefined, ifNone: number): number {
  const { location_at = null } = courierIn(event);
  return location_at === null ? ifNone : instantIn(location_at, "courier.location_at in the event");
}

/** Asserts that the later position is shown with a later time. A server may show no times (OPEN-35). */
function expectLaterTime([first, second]: readonly Attempt[]): void {
  const later =
    positionTime(second, Number.POSITIVE_INFINITY) - positionTime(first, Number.NEGATIVE_INFINITY);
  // The positions are five minutes apart, and the clocks may be off by some seconds.
  expectThat(
    {
      field: "courier.location_at",
      where: "in the second event, in seconds after the time in the first event",
    },
    later / 1000,
  ).isAtLeast(LONG_INTERVAL_S / 2);
}

/** Asserts that north, which is 0, is shown like another heading. A server may show none (OPEN-35). */
function expectNorth([first, second]: readonly Attempt[]): void {
  const [before, north] = [first, second].map((event) => courierIn(event).heading ?? null);
  expectThat("courier.heading in the event, after north was reported", north).satisfies(
    "a number, as in the event before",
    typeof north === "number" || typeof before !== "number",
  );
}

/** The time limit for a reported position to appear. */
const POSITION_TIMEOUT_MS = 5_000;

/** Asserts that GET and tracking show the position that was reported last. Returns the courier that GET shows. */
async function expectPositionToBeRead(
  context: CourierContext,
  id: string,
  trackingKey: string,
  place: Point,
): Promise<CourierOfDelivery> {
  const within = { within: POSITION_TIMEOUT_MS, every: 1000 };
  const isNear = (shown: unknown, degree: number) =>
    typeof shown !== "number" || Math.abs(shown - degree) < ROUNDING_DEGREES;
  // GET may show no position (OPEN-35).
  const deliveryAtPlace = async () => {
    const delivery = await readDelivery(context.api, id);
    const { courier } = delivery;
    return isNear(courier?.lat, place.lat) && isNear(courier?.lng, place.lng) ? delivery : undefined;
  };
  const isTracked = async () =>
    containsPoint((await getTracking(context.anonymous, trackingKey)).expectStatus(200), place) || undefined;
  context.attributeTo(clause["DLV-86"]);
  const read = await poll(deliveryAtPlace, within);
  expectThat("the position in GET", read ? "the last" : "another or none").is("the last");
  expectThat("the position in tracking", (await poll(isTracked, within)) ? "the last" : "another or none").is(
    "the last",
  );
  return read?.courier;
}

const laterPosition = check({
  id: "event-kinds.position-again",
  title:
    "a position five minutes after the last one is sent, each event shows its own position and time, as GET and tracking do, a failed one is sent again, and 410 to it closes the endpoint",
  clauses: [clause["LIMIT-33"], clause["RETRY-32"], clause["RETRY-33"], clause["DLV-86"], clause["EVENT-56"]],
  needs: ["receiver", "courier", "clock"],
  virtualSeconds: LONG_INTERVAL_S + secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const { id, inbox } = await context.subscribe({
      event_types: [LOCATION_KIND],
      responder: respondInTurn(FAILURE),
    });
    const delivery = await createDeliveryEnRoute(context);
    const trackingKey = await extractTrackingKey(context.anonymous, delivery);
    context.attributeTo(clause["LIMIT-33"]);
    const [first, second]: [DirectedPoint, DirectedPoint] = [
      { ...near(context.point, 3), heading: 270 },
      { ...near(context.point, 5), heading: 0 },
    ];
    await reportPosition(context, delivery.id, first, first.heading);
    await waitForPositions(inbox, delivery, 1);
    await expectPositionToBeRead(context, delivery.id, trackingKey, first);
    context.attributeTo(clause["LIMIT-33"]);
    await context.advanceClock(LONG_INTERVAL_S);
    await reportPosition(context, delivery.id, second, second.heading);
    await waitForPositions(inbox, delivery, 2);
    const read = await expectPositionToBeRead(context, delivery.id, trackingKey, second);
    const events = eventsOf(inbox, delivery);
    const expected: readonly ExpectedPosition[] = [
      { which: "first", place: first },
      { which: "second", place: second, stale: { place: first, read } },
    ];
    context.attributeTo(clause["EVENT-56"]);
    for (const [index, position] of expected.entries()) {
      const event = events[index];
      if (event) inbox.markAsEvidence(event);
      expectPosition(event, position);
    }
    context.attributeTo(clause["DLV-86"]);
    expectLaterTime(events);
    context.attributeTo(clause["EVENT-56"]);
    expectNorth(events);
    inbox.respondWith(() => GONE);
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    context.attributeTo(clause["RETRY-32"]);
    await inbox.waitUntil(
      (attempts) =>
        events.every((event) => attempts.filter((a) => webhookId(a) === webhookId(event)).length > 1),
      `a second attempt of each ${LOCATION_KIND}, which got status 500`,
    );
    context.attributeTo(clause["RETRY-33"]);
    const status = (await isClosedSoon(context.api, id)) ? "closed" : "ACTIVE";
    expectThat({ field: "status", where: `of an endpoint that returned 410 to ${LOCATION_KIND}` }, status).is(
      "closed",
    );
  },
});

/** Less than the minimum interval between reported positions. */
const SHORT_INTERVAL_S = MIN_INTERVAL_S - 2;
/**
 * On an idle machine, the events for this many positions would exceed `maxEventsIn` if each position was
 * reported.
 */
const USUAL_POSITIONS = 16;
/** The check gives up after this many positions. On a machine that takes a second for each, they are enough. */
const MAX_POSITIONS = 40;

/**
 * The maximum number of events in the elapsed time. The service may count the 30 seconds from any time
 * (OPEN-203), so the first and the last interval may be shorter.
 */
const maxEventsIn = (elapsedMs: number) => Math.ceil(elapsedMs / 1000 / MIN_INTERVAL_S) + 1;

const rate = check({
  id: "event-kinds.position-rate",
  title:
    "positions are sent at most once every 30 seconds during a longer ride, and again although every position is less than 30 seconds after the previous one",
  clauses: [clause["LIMIT-42"], clause["LIMIT-33"]],
  needs: ["receiver", "courier", "clock"],
  virtualSeconds: 1 + (USUAL_POSITIONS - 1) * SHORT_INTERVAL_S,
  async run(context) {
    const { advanceClock, now } = context;
    const { inbox, waitForSentinelEvent } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const delivery = await createDeliveryEnRoute(context);
    // The suite learns from the first advance how the target's clock runs.
    await advanceClock(1);
    const start = now();
    let positions = 0;
    let lastSentMs = 0;
    // The time from the first position to the acceptance of the last position. All events are sent within it.
    let elapsedMs = 0;
    while (positions <= maxEventsIn(elapsedMs)) {
      if (positions === MAX_POSITIONS)
        throw new CheckSkipped(`too few positions were within ${MIN_INTERVAL_S} s of the previous position`);
      // Subtracts the duration of the last request, so that a busy machine doesn't lengthen the interval.
      const expected = start + lastSentMs + SHORT_INTERVAL_S * 1000;
      if (positions > 0) await advanceClock(Math.max(Math.ceil((expected - now()) / 1000), 1));
      lastSentMs = now() - start;
      await reportPosition(context, delivery.id, near(context.point, 2 + positions / 4));
      positions += 1;
      elapsedMs = now() - start;
    }
    await expectTimePassed(context, delivery, elapsedMs / 1000);
    context.attributeTo(clause["LIMIT-33"]);
    // A position that wasn't sent doesn't restart the 30 seconds, so more than the first one is sent.
    await waitForPositions(inbox, delivery, 2);
    await waitForSentinelEvent();
    context.attributeTo(clause["LIMIT-42"]);
    expectThat(
      `position events in ${Math.round(elapsedMs / 1000)} s`,
      countOf(inbox, LOCATION_KIND, delivery),
    ).isAtMost(maxEventsIn(elapsedMs));
  },
});

export const positionChecks: readonly Check[] = [positions, throttle, laterPosition, rate];
