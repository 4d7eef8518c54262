import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import {
  expectNoNeedlessSearch,
  expectOnce,
  kindsOf,
  waitForEvent,
  waitForEvents,
} from "../../support/webhooks/delivery-events.ts";

const SCHEDULED_AHEAD_MS = 24 * 3_600_000;
const SEARCH_KINDS = ["delivery.queued", "delivery.offered"];
const COURIER_KINDS = ["delivery.offered", "delivery.assigned"];

const located = check({
  id: "emission.creation-with-coordinates",
  title:
    "creating a delivery with coordinates sends delivery.created once, and delivery.queued once unless an offer lapses",
  clauses: [clause["EMIT-1"], clause["EMIT-2"], clause["EVENT-12"], clause["EVENT-13"], clause["EVENT-45"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const delivery = await createDelivery(context);
    context.attributeTo(clause["EMIT-1"]);
    await waitForEvent(inbox, "delivery.created", delivery);
    context.attributeTo(clause["EMIT-2"], clause["EVENT-13"]);
    await waitForEvent(inbox, "delivery.queued", delivery);
    await waitForSentinelEvent();
    context.attributeTo(clause["EVENT-12"]);
    expectOnce(inbox, "delivery.created", delivery, clause["EVENT-12"]);
    context.attributeTo(clause["EVENT-45"]);
    expectNoNeedlessSearch(inbox, delivery);
  },
});

const scheduled = check({
  id: "emission.creation-scheduled",
  title:
    "creating a scheduled delivery sends delivery.created once, regardless of when the search for a courier begins; its change sends delivery.updated, and its cancellation delivery.cancelled",
  clauses: [clause["EMIT-1"], clause["EVENT-12"], clause["EMIT-5"], clause["EMIT-7"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const scheduled_for = isoInstant(context.now() + SCHEDULED_AHEAD_MS);
    const delivery = await createDelivery(context, { scheduled_for });
    context.attributeTo(clause["EMIT-1"]);
    await waitForEvent(inbox, "delivery.created", delivery);
    context.attributeTo(clause["EMIT-5"]);
    await changeDelivery(context.api, delivery.id, { notes: "Zile basmayın" });
    await waitForEvent(inbox, "delivery.updated", delivery);
    context.attributeTo(clause["EMIT-7"]);
    await cancelDelivery(context.api, delivery.id);
    await waitForEvent(inbox, "delivery.cancelled", delivery);
    await waitForSentinelEvent();
    context.attributeTo(clause["EVENT-12"]);
    expectOnce(inbox, "delivery.created", delivery, clause["EVENT-12"]);
  },
});

const ofAnotherStore = check({
  id: "emission.of-another-store",
  title: "events are sent for deliveries of every store of an integrator",
  clauses: [clause["EMIT-1"], clause["EVENT-3"]],
  needs: ["receiver", "pairing"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const first = await createDelivery(context);
    const { external_store_id } = await context.anotherStore();
    const second = await createDelivery(context, { store: { external_store_id } });
    const deliveries = { "of the first store": first, "of the second store": second };
    await context.each(
      casesFrom("deliveries", deliveries),
      ([, delivery]) => waitForEvent(inbox, "delivery.created", delivery),
      { concurrency: 2 },
    );
  },
});

const whileSuspended = check({
  id: "emission.while-suspended",
  title: "the cancellation of a delivery whose store is suspended sends delivery.cancelled",
  clauses: [clause["EMIT-15"]],
  needs: ["receiver", "pairing", "store-settings"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const { id: storeId, external_store_id } = await context.linkStore();
    const store = { external_store_id };
    const delivery = await createDelivery(context, { store });
    await context.configureStore(storeId, { status: "suspended" });
    // Shows that the store is suspended: it refuses a new order.
    (await context.api.createDelivery(await context.order({ store }))).expectError(409, "MAGAZA_PASIF");
    const cancelled = await cancelDelivery(context.api, delivery.id);
    expectThat("cancelled_at", cancelled.cancelled_at ?? null).isNot(null);
    await waitForEvent(inbox, "delivery.cancelled", delivery);
  },
});

const unlocated = check({
  id: "emission.creation-without-coordinates",
  title: "no delivery.queued or delivery.offered is sent for a delivery without coordinates",
  clauses: [clause["EMIT-3"], clause["STATE-6"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const waiting = await createUnlocatedDelivery(context);
    await changeDelivery(context.api, waiting.id, { notes: "Zile basmayın" });
    // Positive control: a delivery with coordinates is queued, and the same endpoint gets the event.
    const queued = await createDelivery(context);
    await waitForEvent(inbox, "delivery.queued", queued);
    await waitForEvent(inbox, "delivery.created", waiting);
    await waitForSentinelEvent();
    const search = kindsOf(inbox, waiting).filter((kind) => SEARCH_KINDS.includes(kind));
    const { lat = null } = (await readDelivery(context.api, waiting.id)).dropoff;
    // If geocoding has found coordinates, the service may search for a courier (OPEN-83).
    expectThat(
      "delivery.queued and delivery.offered events of the delivery without coordinates",
      lat === null ? search : [],
    ).isEmpty();
  },
});

const testDelivery = check({
  id: "emission.test-delivery",
  title:
    "a test delivery, with or without coordinates, sends delivery.created and delivery.cancelled, each with test: true, and no other event",
  clauses: [clause["EMIT-4"], clause["EVENT-41"], clause["TESTD-2"], clause["TESTD-3"], clause["TESTD-4"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const test = await createDelivery(context, { test: true });
    const unlocated = await createUnlocatedDelivery(context, { test: true });
    // Positive control: the same order without the test flag is queued.
    await waitForEvent(inbox, "delivery.queued", await createDelivery(context));
    context.attributeTo(clause["TESTD-2"]);
    const created = await waitForEvent(inbox, "delivery.created", test);
    context.attributeTo(clause["TESTD-3"]);
    const cancelled = await waitForEvent(inbox, "delivery.cancelled", test);
    await waitForEvents(inbox, ["delivery.created", "delivery.cancelled"], unlocated);
    await waitForSentinelEvent();
    context.attributeTo(clause["EVENT-41"]);
    for (const event of [created, cancelled])
      expectThat({ field: "data.test", where: `of ${kindOf(event)}` }, deliveryOf(event)?.test).is(true);
    const kinds = kindsOf(inbox, test);
    context.attributeTo(clause["TESTD-4"], clause["EMIT-4"]);
    expectThat(
      "courier events of the test delivery",
      kinds.filter((kind) => COURIER_KINDS.includes(kind)),
    ).isEmpty();
    context.attributeTo(clause["EMIT-4"]);
    for (const delivery of [test, unlocated])
      expectThat("all events of the test delivery", kindsOf(inbox, delivery).toSorted()).is([
        "delivery.cancelled",
        "delivery.created",
      ]);
  },
});

export const emissionOpeningsChecks: readonly Check[] = [
  located,
  scheduled,
  ofAnotherStore,
  whileSuspended,
  unlocated,
  testDelivery,
];
