import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { deliveryOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { FAILURE_REASON, returnToStore } from "../../support/courier/courier.ts";
import {
  cancelOrSkip,
  changeDelivery,
  createDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import {
  expectNoNeedlessSearch,
  isAbout,
  kindsOf,
  waitForEvent,
} from "../../support/webhooks/delivery-events.ts";
import { GONE } from "../../support/webhooks/responses.ts";
import { expectClosedByGone } from "../../support/webhooks/subscriptions.ts";
import { positionChecks } from "./event-kinds-positions.ts";

/** The clauses that require courier actions to be reported. */
export const CLAUSES_OF_COURIER_EVENTS: Readonly<
  Record<ElementOf<"courier-actions-until-delivery">, readonly ClauseId[]>
> = {
  assigned: [clause["EVENT-16"], clause["STATE-14"]],
  at_pickup: [clause["EVENT-17"]],
  picked_up: [clause["EVENT-18"]],
  en_route: [clause["EVENT-19"]],
  arrived: [clause["EVENT-20"]],
  delivered: [clause["EVENT-21"]],
};

const PICKED_UP = "delivery.picked_up";

const untilDelivery = check({
  id: "event-kinds.until-delivery",
  title:
    "each courier action up to the delivery sends its event type, only to the endpoints that subscribe to it, and to none that was deleted",
  clauses: [
    clause["EMIT-9"],
    clause["EVENT-16"],
    clause["EVENT-17"],
    clause["EVENT-18"],
    clause["EVENT-19"],
    clause["EVENT-20"],
    clause["EVENT-21"],
    clause["EVENT-50"],
    clause["STATE-14"],
  ],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const toOneType = await context.subscribe({ event_types: [PICKED_UP] });
    const deleted = await context.subscribe();
    (await context.api.call("deleteWebhook", { path: { id: deleted.id } })).expectSuccess();
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "delivered");
    const actions = elementsOf("courier-actions-until-delivery");
    const expectedKinds = actions.map((action) => `delivery.${action}` as const);
    // Waits for the events concurrently, so that missing events share one timeout.
    const waits = new Map(
      actions.map((action) => [action, waitForEvent(inbox, `delivery.${action}`, delivery)]),
    );
    await Promise.allSettled(waits.values());
    await context.each(ofSet("courier-actions-until-delivery"), (action) => {
      context.attributeTo(...CLAUSES_OF_COURIER_EVENTS[action], clause["EMIT-9"]);
      return waits.get(action);
    });
    await waitForSentinelEvent();
    context.attributeTo(clause["EMIT-9"]);
    const kinds = kindsOf(inbox, delivery).filter((kind) => expectedKinds.some((sent) => sent === kind));
    expectThat("the events of the courier actions, one each", kinds.toSorted()).is(expectedKinds.toSorted());
    context.attributeTo(clause["EVENT-50"]);
    await toOneType.waitForSentinelEvent();
    const others = kindsOf(toOneType.inbox, delivery).filter((kind) => kind !== PICKED_UP);
    expectThat(
      `event types other than ${PICKED_UP} at an endpoint that lists only that type, while another endpoint lists them`,
      others,
    ).isEmpty();
    expectThat("event types at a deleted endpoint", kindsOf(deleted.inbox, delivery)).isEmpty();
  },
});

const offer = check({
  id: "event-kinds.offered",
  title:
    "an offer to a courier sends delivery.offered, to which 410 closes the endpoint; while the offer is open, courier is null, a change sends delivery.updated, and a cancellation delivery.cancelled",
  clauses: [clause["EVENT-15"], clause["STATE-15"], clause["DLV-101"], clause["RETRY-39"], clause["EMIT-14"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const offersOnly = await context.subscribe({ event_types: ["delivery.offered"], responder: () => GONE });
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "offered");
    context.attributeTo(clause["EVENT-15"], clause["STATE-15"]);
    const offered = await waitForEvent(inbox, "delivery.offered", delivery);
    context.attributeTo(clause["DLV-101"]);
    const shown = {
      "in delivery.offered": deliveryOf(offered)?.courier,
      "of a delivery that is only offered": (await readDelivery(context.api, delivery.id)).courier,
    };
    for (const [where, courier = null] of Object.entries(shown))
      expectThat({ field: "courier", where }, courier).is(null);
    context.attributeTo(clause["RETRY-39"]);
    await waitForEvent(offersOnly.inbox, "delivery.offered", delivery);
    await expectClosedByGone(context.api, offersOnly.id, "delivery.offered");
    context.attributeTo(clause["EMIT-14"]);
    await changeDelivery(context.api, delivery.id, { notes: "Zile basmayın" });
    await waitForEvent(inbox, "delivery.updated", delivery);
    await cancelOrSkip(
      context.api,
      delivery.id,
      "during the offer was refused, so it is unknown which event it sends",
    );
    await waitForEvent(inbox, "delivery.cancelled", delivery);
  },
});

const failure = check({
  id: "event-kinds.failed",
  title: "a failed delivery sends delivery.failed",
  clauses: [clause["EVENT-22"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "arrived");
    const failed = await context.performCourierAction(delivery.id, "failed", {
      reason: FAILURE_REASON,
    });
    if (!failed)
      throw new CheckSkipped(
        "the control interface refused the courier action `failed` at the customer's door",
      );
    await waitForEvent(inbox, "delivery.failed", delivery);
  },
});

const packageReturn = check({
  id: "event-kinds.return",
  title: "a return to the restaurant sends delivery.returning and delivery.returned",
  clauses: [clause["EVENT-24"], clause["EVENT-25"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createDelivery(context);
    await returnToStore(context, delivery.id);
    context.attributeTo(clause["EVENT-24"]);
    await waitForEvent(inbox, "delivery.returning", delivery);
    context.attributeTo(clause["EVENT-25"]);
    await waitForEvent(inbox, "delivery.returned", delivery);
  },
});

const lapse = check({
  id: "event-kinds.lapsed-offer",
  title:
    "each lapsed offer sends delivery.queued once more, with its own webhook-id, and each further offer delivery.offered",
  clauses: [clause["EVENT-14"], clause["EVENT-46"], clause["STATE-16"], clause["EVENT-15"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    context.attributeTo(clause["EVENT-14"], clause["STATE-16"]);
    const delivery = await createDelivery(context);
    const opening = await waitForEvent(inbox, "delivery.queued", delivery);
    const isQueued = isAbout(delivery, "delivery.queued");
    const isOffered = isAbout(delivery, "delivery.offered");
    const earlier = new Set([webhookId(opening)]);
    const lapses = ["the first", "the second"] as const;
    await context.each(cases("lapses of an offer", lapses), async (which) => {
      context.attributeTo(clause["EVENT-14"], clause["STATE-16"]);
      const isAccepted = await context.performCourierAction(delivery.id, "offered");
      if (!(await context.performCourierAction(delivery.id, "offer_lapsed")))
        throw new CheckSkipped(
          "the control interface refused the courier action offer_lapsed after an offer",
        );
      const next = await inbox.waitForFirst(
        (attempt) => isQueued(attempt) && !earlier.has(webhookId(attempt)),
        `one more delivery.queued of ${delivery.id} after ${which} lapse`,
      );
      earlier.add(webhookId(next));
      if (!isAccepted) return;
      context.attributeTo(clause["EVENT-15"]);
      const offered = await inbox.waitForFirst(
        (attempt) => isOffered(attempt) && !earlier.has(webhookId(attempt)),
        `delivery.offered of ${delivery.id} for the offer before ${which} lapse`,
      );
      earlier.add(webhookId(offered));
    });
    await waitForSentinelEvent();
    context.attributeTo(clause["EVENT-46"]);
    expectNoNeedlessSearch(inbox, delivery, lapses.length);
  },
});

export const eventKindsChecks: readonly Check[] = [
  untilDelivery,
  offer,
  failure,
  packageReturn,
  lapse,
  ...positionChecks,
];
