import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { ContextFor } from "../../check.ts";
import { kindOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { returnToStore, ride } from "../../support/courier.ts";
import { openDelivery } from "../../support/deliveries.ts";
import { countOf, isAbout, kindsOf, waitForEvent, waitForEvents } from "../../support/delivery-events.ts";
import { near } from "../../support/orders.ts";
import { type Check, check } from "../define.ts";

type Riding = ContextFor<"receiver" | "courier">;

const toTheDoor = check({
  id: "event-kinds.way-to-the-door",
  title: "each of the courier's moves on the way to the door is reported by the kind that is named for it",
  clauses: [
    clause["EMIT-9"],
    clause["EVENT-16"],
    clause["EVENT-17"],
    clause["EVENT-18"],
    clause["EVENT-19"],
    clause["EVENT-20"],
    clause["EVENT-21"],
    clause["STATE-14"],
  ],
  needs: ["receiver", "courier"],
  mutants: [
    "assignment-reported-as-an-offer",
    "pick-up-reported-as-en-route",
    "pick-up-reported-as-two-moves",
    ...elementsOf("moves-to-the-door").map((move) => `move-${move}-unreported` as const),
  ],
  async run(context) {
    context.cover("moves-to-the-door", elementsOf("moves-to-the-door"));
    const { inbox, fence } = await context.subscribe();
    const delivery = await openDelivery(context);
    await context.moveCourierTo(delivery.id, "delivered");
    const once = elementsOf("moves-to-the-door").map((move) => `delivery.${move}` as const);
    await waitForEvents(inbox, once, delivery);
    await fence();
    const kinds = kindsOf(inbox, delivery).filter((kind) => once.some((one) => one === kind));
    expect(kinds.toSorted(), "one event for each move").toEqual(once.toSorted());
  },
});

const offer = check({
  id: "event-kinds.offered",
  title: "an offer to a courier is reported as delivery.offered",
  clauses: [clause["EVENT-15"], clause["STATE-15"]],
  needs: ["receiver", "courier"],
  mutants: ["offer-unreported"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await openDelivery(context);
    await context.moveCourierTo(delivery.id, "offered");
    await waitForEvent(inbox, "delivery.offered", delivery);
  },
});

const failure = check({
  id: "event-kinds.failed",
  title: "a delivery that fails at the door is reported as delivery.failed",
  clauses: [clause["EVENT-22"]],
  needs: ["receiver", "courier"],
  mutants: ["failure-reported-as-returning"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await openDelivery(context);
    await context.moveCourierTo(delivery.id, "arrived");
    const failed = await context.moveCourier(delivery.id, "failed", { reason: "Müşteri kapıyı açmadı" });
    if (!failed) throw new NotTestable("the control interface refused the move failed at the door");
    await waitForEvent(inbox, "delivery.failed", delivery);
  },
});

const wayBack = check({
  id: "event-kinds.way-back",
  title: "the way back to the restaurant is reported as delivery.returning and delivery.returned",
  clauses: [clause["EVENT-24"], clause["EVENT-25"]],
  needs: ["receiver", "courier"],
  mutants: ["way-back-unreported", "return-unreported"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await openDelivery(context);
    await returnToStore(context, delivery.id);
    await waitForEvents(inbox, ["delivery.returning", "delivery.returned"], delivery);
  },
});

const lapse = check({
  id: "event-kinds.lapsed-offer",
  title: "an offer that lapses is reported as delivery.queued again, with a webhook-id of its own",
  clauses: [clause["EVENT-14"], clause["STATE-16"]],
  needs: ["receiver", "courier"],
  mutants: ["lapse-unreported", "lapse-repeats-the-webhook-id"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await openDelivery(context);
    const opening = await waitForEvent(inbox, "delivery.queued", delivery);
    await context.moveCourierTo(delivery.id, "offered");
    await waitForEvent(inbox, "delivery.offered", delivery);
    const lapsed = await context.moveCourier(delivery.id, "offer_lapsed");
    if (!lapsed) throw new NotTestable("the control interface refused offer_lapsed after an offer");
    const isQueued = isAbout(delivery, "delivery.queued");
    await inbox.waitForFirst(
      (attempt) => isQueued(attempt) && webhookId(attempt) !== webhookId(opening),
      `a second delivery.queued of ${delivery.id}, beside the one of its opening`,
    );
  },
});

/** A delivery whose courier is on the way to the customer. */
async function onItsWay(context: Riding) {
  const delivery = await openDelivery(context);
  await context.moveCourierTo(delivery.id, "en_route");
  return delivery;
}

const positions = check({
  id: "event-kinds.position",
  title:
    "a courier's position is reported to an address that lists delivery.courier_location, and to no other",
  clauses: [clause["EVENT-30"], clause["EVENT-31"]],
  needs: ["receiver", "courier"],
  mutants: ["first-position-unreported", "positions-go-to-all", "positions-go-to-the-default-kinds"],
  async run(context) {
    const listing = await context.subscribe({ event_types: ["delivery.cancelled", LOCATION_KIND] });
    const others = [
      await context.subscribe(),
      await context.subscribe({ event_types: ["delivery.en_route"] }),
    ];
    const delivery = await onItsWay(context);
    await ride(context, delivery.id, near(context.point, 3));
    await waitForEvent(listing.inbox, LOCATION_KIND, delivery);
    for (const { inbox, fence } of others) {
      await waitForEvent(inbox, "delivery.en_route", delivery);
      await fence();
      expect(inbox.attempts.map(kindOf), "kinds at an address without positions").not.toContain(
        LOCATION_KIND,
      );
    }
  },
});

const throttle = check({
  id: "event-kinds.position-limit",
  title: "positions of one delivery in quick succession are reported once, whatever other deliveries report",
  clauses: [clause["LIMIT-32"], clause["LIMIT-34"]],
  needs: ["receiver", "courier"],
  mutants: ["positions-unlimited", "positions-limited-together"],
  async run(context) {
    const { inbox, fence } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const first = await onItsWay(context);
    const second = await onItsWay(context);
    for (const { id } of [first, second]) {
      for (const steps of [3, 4, 5]) await ride(context, id, near(context.point, steps));
    }
    await waitForEvent(inbox, LOCATION_KIND, first);
    await waitForEvent(inbox, LOCATION_KIND, second);
    await fence();
    // From when the 30 seconds count is open (OPEN-203): they may begin anew within one of the two bursts.
    const counts = [first, second].map((delivery) => countOf(inbox, LOCATION_KIND, delivery));
    expect(Math.min(...counts), "events for three positions at once").toBe(1);
    expect(Math.max(...counts), "events for three positions at once").toBeLessThanOrEqual(2);
  },
});

/** Between two positions (Limits); and a little more, whatever they count from (OPEN-203). */
const LEAST_S = 30;
const BETWEEN_POSITIONS_S = LEAST_S + 3;

const again = check({
  id: "event-kinds.position-again",
  title: "a position that comes more than 30 seconds after the last is reported again",
  clauses: [clause["LIMIT-33"]],
  needs: ["receiver", "courier", "clock"],
  mutants: ["position-once-in-35-seconds", "position-once-a-delivery"],
  waits: BETWEEN_POSITIONS_S,
  async run(context) {
    const { inbox } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const delivery = await onItsWay(context);
    await ride(context, delivery.id, near(context.point, 3));
    await waitForEvent(inbox, LOCATION_KIND, delivery);
    await context.advanceClock(BETWEEN_POSITIONS_S);
    await ride(context, delivery.id, near(context.point, 5));
    await inbox.waitUntil(
      () => countOf(inbox, LOCATION_KIND, delivery) > 1,
      `a second ${LOCATION_KIND}, ${BETWEEN_POSITIONS_S} s after the first`,
    );
  },
});

/** Positions a little nearer to each other than two that are reported, and so many that windows don't explain one for each. */
const TOO_NEAR_S = LEAST_S - 2;
const POSITIONS = 18;

const rate = check({
  id: "event-kinds.position-rate",
  title: "over a longer ride positions are reported no oftener than every 30 seconds",
  clauses: [clause["LIMIT-42"]],
  needs: ["receiver", "courier", "clock"],
  mutants: ["positions-every-28-seconds", "positions-unlimited"],
  waits: (POSITIONS - 1) * TOO_NEAR_S,
  async run(context) {
    const { advanceClock, now } = context;
    const { inbox, fence } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const delivery = await onItsWay(context);
    const start = now();
    for (let positions = 1; positions <= POSITIONS; positions += 1) {
      if (positions > 1) await advanceClock(TOO_NEAR_S);
      await ride(context, delivery.id, near(context.point, 2 + positions / 4));
    }
    await waitForEvent(inbox, LOCATION_KIND, delivery);
    await fence();
    // From when the 30 seconds count is open (OPEN-203): so many windows may lie in the time, the first and last in part.
    const windows = Math.ceil((now() - start) / 1000 / LEAST_S) + 1;
    const reported = countOf(inbox, LOCATION_KIND, delivery);
    expect(
      reported,
      `positions that were reported in ${Math.round((now() - start) / 1000)} s`,
    ).toBeLessThanOrEqual(windows);
  },
});

/** Which of the courier's moves send which events. */
export const eventKindsChecks: readonly Check[] = [
  toTheDoor,
  offer,
  failure,
  wayBack,
  lapse,
  positions,
  throttle,
  again,
  rate,
];
