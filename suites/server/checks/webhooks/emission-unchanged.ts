import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import { deliveryOf, firstAttempts, isOfKind } from "../../session/webhook-receiver/attempt.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { FAR_KM, newStoreWithArea, north, storeAndDropoff } from "../../support/service-area.ts";
import {
  countOf,
  expectNoNeedlessSearch,
  expectOnce,
  kindsOf,
  waitForEvent,
  waitForEvents,
} from "../../support/webhooks/delivery-events.ts";

const isCreation = isOfKind("delivery.created");

const refusedCreation = check({
  id: "emission.refused-creation",
  title: "a refused creation sends no event",
  clauses: [clause["NEW-52"]],
  needs: ["receiver"],
  async run({ api, order, subscribe }) {
    const { inbox, waitForSentinelEvent } = await subscribe();
    const external_ref = newReference();
    const body = await order({ external_ref, package_count: 20 });
    const tooMany = { ...body, package_count: 21 };
    const options = { key: newIdempotencyKey() };
    (await api.sendInvalid("createDelivery", "21 packages", { body: tooMany }, options)).expectError(400);
    // Positive control: the valid order is created. A repetition with another key and the same external_ref is
    // refused.
    const delivery = (await api.createDelivery(body)).body(201);
    (await api.createDelivery(body, { key: newIdempotencyKey() })).expectError(409);
    await waitForEvent(inbox, "delivery.created", delivery);
    await waitForSentinelEvent();
    const created = firstAttempts(inbox.attempts).filter(
      (attempt) => isCreation(attempt) && deliveryOf(attempt)?.external_ref === external_ref,
    );
    expectThat("delivery.created events of an order that was accepted once", created.length).is(1);
  },
});

const refusedChange = check({
  id: "emission.refused-change",
  title: "a refused change or cancellation sends no event, and an accepted one sends one, of its own kind",
  clauses: [clause["EMIT-7"], clause["EMIT-10"], clause["EVENT-45"]],
  needs: ["receiver"],
  async run(context) {
    const { api, subscribe } = context;
    const { inbox, waitForSentinelEvent } = await subscribe();
    const delivery = await createDelivery(context);
    const path = { id: delivery.id };
    const change = async () => {
      const tooLong = { path, body: { notes: "n".repeat(501) } };
      (await api.sendInvalid("updateDelivery", "a note of 501 characters", tooLong)).expectError(400);
      await changeDelivery(api, delivery.id, { notes: "n".repeat(500) });
    };
    const refusedAfterwards = async () => {
      const again = { path, body: { reason: "Müşteri vazgeçti" } };
      (await api.sendInvalid("cancelDelivery", "the delivery is cancelled", again)).expectError(409);
      const late = { path, body: { notes: "Çok geç" } };
      (await api.sendInvalid("updateDelivery", "the delivery is cancelled", late)).expectError(409);
    };
    const requests: Readonly<
      Record<string, readonly [ClauseId, () => Promise<unknown>, readonly EventKind[]]>
    > = {
      "the creation, a refused and an accepted change": [
        clause["EMIT-10"],
        change,
        ["delivery.created", "delivery.updated"],
      ],
      "the accepted cancellation": [
        clause["EMIT-7"],
        () => cancelDelivery(api, delivery.id),
        ["delivery.cancelled"],
      ],
      "the refused requests after the cancellation": [clause["EMIT-10"], refusedAfterwards, []],
    };
    const ownKinds = new Set<string>(Object.values(requests).flatMap(([, , kinds]) => kinds));
    let sent: readonly string[] = [];
    await context.each(casesFrom("requests", requests), async ([name, [own, send, kinds]]) => {
      const earlier = sent.length;
      context.attributeTo(own);
      try {
        await send();
        await waitForEvents(inbox, kinds, delivery);
      } finally {
        // The events of a request that failed aren't those of the next one.
        await waitForSentinelEvent();
        // The courier search may emit other kinds at any time.
        sent = kindsOf(inbox, delivery).filter((kind) => ownKinds.has(kind));
      }
      expectThat(`the events of ${name}`, sent.slice(earlier).toSorted()).is(kinds);
    });
    context.attributeTo(clause["EMIT-7"]);
    expectThat("the events of a cancelled delivery", kindsOf(inbox, delivery)).doesNotInclude(
      "delivery.failed",
    );
    context.attributeTo(clause["EVENT-45"]);
    expectNoNeedlessSearch(inbox, delivery);
  },
});

const refusedAddress = check({
  id: "emission.refused-address",
  title: "a change of the drop-off that is refused with HIZMET_DISI sends no event",
  clauses: [clause["PATCH-6"]],
  needs: ["receiver", "pairing", "store-settings"],
  async run(context) {
    const { api, point, subscribe } = context;
    const { inbox, waitForSentinelEvent } = await subscribe();
    const store = await newStoreWithArea(context);
    const delivery = await createDelivery(context, storeAndDropoff(store, near(point)));
    const farDropoff = storeAndDropoff(store, north(point, FAR_KM)).dropoff;
    (await api.updateDelivery(delivery.id, { dropoff: farDropoff })).expectError(422);
    await changeDelivery(api, delivery.id, { dropoff: storeAndDropoff(store, near(point, 2)).dropoff });
    await waitForEvent(inbox, "delivery.updated", delivery);
    await waitForSentinelEvent();
    expectThat(
      "delivery.updated events, one for the accepted address",
      countOf(inbox, "delivery.updated", delivery),
    ).is(1);
  },
});

const refusedWithTheCourier = check({
  id: "emission.refused-with-the-courier",
  title: "a change or cancellation refused while the courier has the package sends no event",
  clauses: [clause["STATE-26"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { api, subscribe } = context;
    const { inbox, waitForSentinelEvent } = await subscribe();
    const delivery = await createDelivery(context);
    const path = { id: delivery.id };
    await context.performCourierActionsUpTo(delivery.id, "assigned");
    await changeDelivery(api, delivery.id, { notes: "Kapıda bekleyin" });
    await context.performCourierAction(delivery.id, "at_pickup");
    if (!(await context.performCourierAction(delivery.id, "picked_up")))
      throw new CheckSkipped("the control interface refused the courier action picked_up");
    const change = { path, body: { notes: "Arka kapıya gelin" } };
    (await api.sendInvalid("updateDelivery", "the package is picked up", change)).expectError(409);
    const cancel = { path, body: { reason: "Müşteri vazgeçti" } };
    (await api.sendInvalid("cancelDelivery", "the package is picked up", cancel)).expectError(409);
    await waitForEvents(inbox, ["delivery.picked_up"], delivery);
    await waitForSentinelEvent();
    expectThat(
      "delivery.updated events, one for the accepted note",
      countOf(inbox, "delivery.updated", delivery),
    ).isAtMost(1);
    expectThat("delivery.cancelled events", countOf(inbox, "delivery.cancelled", delivery)).is(0);
  },
});

/** Removes the event types that the creation or the geocoding of a delivery may cause (OPEN-83). */
const unexpectedKinds = (kinds: readonly string[]): readonly string[] =>
  kinds.includes("delivery.queued")
    ? []
    : kinds.filter((kind) => kind !== "delivery.created" && kind !== "delivery.updated");

const readingRequests = check({
  id: "emission.reading",
  title: "reading a delivery, the list or the store, or requesting a quote sends no event",
  clauses: [clause["EMIT-11"]],
  needs: ["receiver"],
  async run(context) {
    const { api, point, store, subscribe } = context;
    // Comes before the subscription, because finding an accepted payment type creates orders, whose events
    // would arrive.
    await context.paymentType();
    const { inbox, waitForSentinelEvent } = await subscribe();
    const { external_store_id } = await store();
    const queued = await createDelivery(context);
    const waiting = await createUnlocatedDelivery(context);
    for (const delivery of [queued, waiting]) {
      await waitForEvent(inbox, "delivery.created", delivery);
      await readDelivery(api, delivery.id);
      await api.listDeliveries({ external_ref: delivery.external_ref });
      (await api.call("listProofs", { path: { id: delivery.id } })).expectSuccess();
    }
    await api.getStore(external_store_id);
    (await api.createQuote({ store: { external_store_id }, dropoff: near(point) })).expectSuccess();
    await waitForSentinelEvent();
    expectThat(
      "events of the delivery without coordinates",
      unexpectedKinds(kindsOf(inbox, waiting)),
    ).isEmpty();
    expectThat(
      "delivery.updated events of the delivery with coordinates",
      countOf(inbox, "delivery.updated", queued),
    ).is(0);
    // Counts only creations, because earlier deliveries of the integrator may still change.
    const unexpectedIds = firstAttempts(inbox.attempts)
      .filter(isCreation)
      .map((attempt) => deliveryOf(attempt)?.id)
      .filter((id) => id !== queued.id && id !== waiting.id);
    expectThat("further deliveries with a delivery.created event", unexpectedIds).isEmpty();
  },
});

const repeatedCreation = check({
  id: "emission.repeated-creation",
  title: "repeating a creation with the same key and body sends no second event",
  clauses: [clause["IDEM-8"]],
  needs: ["receiver"],
  async run({ api, order, subscribe }) {
    const { inbox, waitForSentinelEvent } = await subscribe();
    const body = await order();
    const options = { key: newIdempotencyKey() };
    const delivery = (await api.createDelivery(body, options)).body(201);
    await waitForEvent(inbox, "delivery.created", delivery);
    (await api.createDelivery(body, options)).expectStatus(200);
    await waitForSentinelEvent();
    expectOnce(inbox, "delivery.created", delivery, clause["IDEM-8"]);
  },
});

export const emissionUnchangedChecks: readonly Check[] = [
  refusedCreation,
  refusedChange,
  refusedAddress,
  refusedWithTheCourier,
  readingRequests,
  repeatedCreation,
];
