import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { type EventKind, TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import {
  type Attempt,
  deliveryOf,
  isOfKind,
  kindOf,
  webhookId,
} from "../../session/webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { expectCourier } from "../../support/courier/courier.ts";
import { sinceCreationOf, waitUntilListed } from "../../support/lists/delivery-list.ts";
import { ListReader } from "../../support/lists/list-reader.ts";
import { expectLatestVersionListed, expectListed } from "../../support/lists/listed-deliveries.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { numberIn } from "../../support/shown-values.ts";
import { waitForChange } from "../../support/webhooks/change-events.ts";
import {
  eventsOf,
  expectOnce,
  isAbout,
  waitForEvent,
  waitForEvents,
} from "../../support/webhooks/delivery-events.ts";
import { emissionOpeningsChecks } from "./emission-openings.ts";
import { emissionUnchangedChecks } from "./emission-unchanged.ts";

const HOUR_MS = 3_600_000;

type Change = Schemas["DeliveryChange"];

/** A change with each removed value as GET shows it: null, missing, empty or a default (OPEN-26, OPEN-55). */
const shownAfter = (patch: Change, changed: Schemas["Delivery"]): Change => ({
  ...patch,
  ...(patch.scheduled_for === null && { scheduled_for: changed.scheduled_for ?? null }),
  ...(patch.ready_at === null && { ready_at: changed.ready_at ?? null }),
  ...(patch.notes === null && { notes: changed.notes ?? null }),
});

const changes = check({
  id: "emission.changes",
  title:
    "each change or removal of scheduled_for, ready_at or notes, and each change of the address, sends delivery.updated",
  clauses: [clause["EMIT-5"], clause["EVENT-26"], clause["EVENT-27"], clause["EVENT-28"], clause["EVENT-29"]],
  needs: ["receiver", "pairing"],
  async run(context) {
    const { api, now, subscribe } = context;
    const { inbox } = await subscribe();
    // The schedule can be changed, because the delivery has no quote and no location (OPEN-70).
    const { external_store_id } = await context.anotherStore();
    let delivery = await createUnlocatedDelivery(context, { store: { external_store_id } });
    const changeClause = clause["EMIT-5"];
    for (const [fieldClause, patch] of [
      [clause["EVENT-29"], { scheduled_for: isoInstant(now() + 30 * HOUR_MS) }],
      [clause["EVENT-27"], { ready_at: isoInstant(now() + HOUR_MS) }],
      [clause["EVENT-28"], { notes: "Arka kapıya gelin" }],
      [clause["EVENT-29"], { scheduled_for: null }],
      [clause["EVENT-27"], { ready_at: null }],
      [clause["EVENT-28"], { notes: null }],
      [clause["EVENT-26"], { dropoff: { text: "Yeni adres telefonda sorulacak" } }],
      [
        clause["EVENT-26"],
        { dropoff: { text: "Gülşen Sokak 9, Fatih, İstanbul", ...near(context.point, 2) } },
      ],
    ] as const) {
      context.attributeTo(fieldClause, changeClause);
      const changed = await changeDelivery(api, delivery.id, patch);
      await waitForChange(inbox, delivery, patch, shownAfter(patch, changed));
      delivery = changed;
    }
    context.attributeTo(changeClause);
    // The service may report the two fields in one event or in two events.
    const located = await createDelivery(context);
    const twoFields = { notes: "Zili çalın", ready_at: isoInstant(now() + 2 * HOUR_MS) };
    await changeDelivery(api, located.id, twoFields);
    await waitForChange(inbox, located, twoFields);
  },
});

/** The stages in which a delivery has a courier and an integrator can still change it. */
const STAGES_WITH_A_COURIER = ["assigned", "at_pickup"] as const;

const changesWithACourier = check({
  id: "emission.changes-with-a-courier",
  title:
    "a change of notes, ready_at or the address sends delivery.updated, and a cancellation delivery.cancelled, after a courier is assigned and at the restaurant",
  clauses: [clause["EMIT-12"], clause["EMIT-13"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const changes: readonly Change[] = [
      { notes: "Zile basmayın" },
      { ready_at: isoInstant(context.now() + HOUR_MS) },
    ];
    // A new address may release the courier (OPEN-85), so it comes last.
    const address = { dropoff: { text: "Gülşen Sokak 9, Fatih, İstanbul", ...near(context.point, 2) } };
    await context.each(cases("stages", STAGES_WITH_A_COURIER), async (stage) => {
      const { id } = await createDelivery(context);
      await context.performCourierActionsUpTo(id, stage);
      const before = await readDelivery(context.api, id);
      expectCourier(before);
      context.attributeTo(clause["EMIT-12"]);
      for (const change of stage === "assigned" ? [...changes, address] : changes) {
        const response = await context.api.updateDelivery(id, change);
        // Other checks test that the change is accepted; this clause is about accepted ones.
        if (response.status === 409) throw new CheckSkipped(`a change in the state ${stage} was refused`);
        response.expectSuccess();
        await waitForChange(inbox, before, change);
      }
      context.attributeTo(clause["EMIT-13"]);
      (await context.api.cancelDelivery(id)).expectSuccess();
      await waitForEvent(inbox, "delivery.cancelled", before);
    });
  },
});

const addedCoordinates = check({
  id: "emission.locating",
  title: "the change that adds coordinates to a delivery sends delivery.updated",
  clauses: [clause["STATE-10"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createUnlocatedDelivery(context);
    await changeDelivery(context.api, delivery.id, {
      dropoff: { text: "Gülşen Sokak 7, Fatih, İstanbul", ...near(context.point, 2) },
    });
    // The server may send delivery.queued too (OPEN-84).
    await waitForEvent(inbox, "delivery.updated", delivery);
  },
});

const cancellation = check({
  id: "emission.cancellation",
  title:
    "a cancellation sends delivery.cancelled once, also without coordinates, and to an endpoint that is newer than the delivery",
  clauses: [clause["EMIT-7"], clause["EVENT-23"], clause["STATE-21"]],
  needs: ["receiver"],
  async run(context) {
    const earlier = await createDelivery(context);
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const deliveries = {
      "created before the endpoint": earlier,
      "with coordinates": await createDelivery(context),
      "without coordinates": await createUnlocatedDelivery(context),
    };
    for (const { id } of Object.values(deliveries)) await cancelDelivery(context.api, id);
    context.attributeTo(clause["EMIT-7"], clause["STATE-21"]);
    // Waits for the events concurrently, so that missing events share one timeout.
    await context.each(
      casesFrom("deliveries", deliveries),
      ([, delivery]) => waitForEvent(inbox, "delivery.cancelled", delivery),
      { concurrency: 3 },
    );
    await waitForSentinelEvent();
    context.attributeTo(clause["EVENT-23"]);
    for (const delivery of Object.values(deliveries))
      expectOnce(inbox, "delivery.cancelled", delivery, clause["EVENT-23"]);
  },
});

const test = check({
  id: "emission.test-event",
  title: "a test request sends webhook.test to the endpoint, regardless of its event types",
  clauses: [clause["EMIT-8"], clause["EVENT-32"]],
  needs: ["receiver"],
  async run({ api, each, subscribe }) {
    const subscriptions = {
      "a subscription to the default event types": {},
      "a subscription to delivery.cancelled": { event_types: ["delivery.cancelled"] },
    };
    await each(
      casesFrom("endpoints", subscriptions),
      async ([name, body]) => {
        const { id, inbox } = await subscribe(body);
        (await api.call("testWebhook", { path: { id } })).expectStatus(202);
        await inbox.waitForFirst(isOfKind(TEST_KIND), { field: TEST_KIND, where: `of ${name}` });
      },
      { concurrency: 2 },
    );
  },
});

const versionOrder = check({
  id: "emission.version",
  title: "data.version increases with each event of a change",
  clauses: [clause["RETRY-27"]],
  needs: ["receiver"],
  async run(context) {
    const { api, subscribe } = context;
    const { inbox } = await subscribe();
    const delivery = await createUnlocatedDelivery(context);
    const events = [await waitForEvent(inbox, "delivery.created", delivery)];
    // Waits for the event of each change, because a late event may show a later state (OPEN-188).
    await changeDelivery(api, delivery.id, { notes: "Zile basmayın" });
    events.push(await waitForEvent(inbox, "delivery.updated", delivery));
    await cancelDelivery(api, delivery.id);
    events.push(await waitForEvent(inbox, "delivery.cancelled", delivery));
    const [created = 0, updated = 0, cancelled] = events.map((attempt) =>
      numberIn(deliveryOf(attempt)?.version, { field: "data.version", where: `of ${kindOf(attempt)}` }),
    );
    expectThat({ field: "data.version", where: "of delivery.updated" }, updated).isMoreThan(created);
    expectThat({ field: "data.version", where: "of delivery.cancelled" }, cancelled).isMoreThan(updated);
  },
});

/** Fails every event: a cancellation's attempt gets no response, and any other gets 500. */
const failing: Responder = (attempt) =>
  isOfKind("delivery.cancelled")(attempt) ? { kind: "reset" } : answerWith(500);

/** Asserts that an endpoint gets the next event of a type, although it failed an earlier one that is sent again. */
async function expectNext(
  inbox: Inbox,
  kind: EventKind,
  cause: () => Promise<unknown>,
  isIncluded: (attempt: Attempt) => boolean = isOfKind(kind),
): Promise<void> {
  const earlierIds = new Set(inbox.attempts.filter(isIncluded).map(webhookId));
  await cause();
  await inbox.waitForFirst((attempt) => isIncluded(attempt) && !earlierIds.has(webhookId(attempt)), {
    field: `the next ${kind}`,
    where: "with its own webhook-id, after one that failed,",
  });
}

const missedChanges = check({
  id: "emission.missed",
  title:
    "changes whose events failed are listed when paging from an earlier cursor, other endpoints get the events, and the failing endpoint gets the next events of the same type",
  clauses: [clause["RETRY-28"], clause["EVENT-3"], clause["EVENT-32"]],
  needs: ["receiver"],
  async run(context) {
    const { api, store, subscribe } = context;
    context.attributeTo(clause["RETRY-28"]);
    const { external_store_id } = await store();
    const deliveries = [await createDelivery(context), await createDelivery(context)] as const;
    const window = sinceCreationOf(deliveries[0], external_store_id);
    await waitUntilListed(api, window, deliveries);
    const reader = new ListReader(api, { ...window, limit: 1 });
    await reader.readToEnd();
    // A server may send an event to the newest endpoint first.
    const older = await subscribe();
    const { id, inbox } = await subscribe({ responder: failing });
    const newer = await subscribe();
    const changed = {
      "a PATCH": await changeDelivery(api, deliveries[0].id, { notes: "Zile basmayın" }),
      "a cancellation": await cancelDelivery(api, deliveries[1].id),
    };
    await waitForEvent(inbox, "delivery.updated", deliveries[0]);
    await waitForEvent(inbox, "delivery.cancelled", deliveries[1]);
    await waitUntilListed(api, window, Object.values(changed));
    await reader.readToEnd();
    await context.each(casesFrom("changes", changed), ([, delivery]) => {
      expectListed(reader.pages, [delivery], "deliveries of the check");
      for (const listed of [...reader.latest.values()].filter(({ id }) => id === delivery.id))
        expectLatestVersionListed(delivery.id, listed, delivery.version);
    });
    context.attributeTo(clause["EVENT-3"]);
    const endpoints = {
      "an endpoint that is older than the failing one": older,
      "an endpoint that is newer than the failing one": newer,
    };
    await context.each(
      casesFrom("endpoints beside a failing one", endpoints),
      async ([, endpoint]) => {
        await waitForEvent(endpoint.inbox, "delivery.updated", deliveries[0]);
        await waitForEvent(endpoint.inbox, "delivery.cancelled", deliveries[1]);
      },
      { concurrency: 2 },
    );
    const [{ id: changedId }] = deliveries;
    await expectNext(
      inbox,
      "delivery.updated",
      () => changeDelivery(api, changedId, { notes: "Kapıya bırakın" }),
      isAbout(deliveries[0], "delivery.updated"),
    );
    context.attributeTo(clause["EVENT-32"]);
    const sendTest = async () => (await api.call("testWebhook", { path: { id } })).expectSuccess();
    await sendTest();
    await inbox.waitForFirst(isOfKind(TEST_KIND), TEST_KIND);
    await expectNext(inbox, TEST_KIND, sendTest);
  },
});

/**
 * One event with the member is enough: which events have it is unspecified, and a null member may be missing
 * (OPEN-26).
 */
function expectToAppear(
  events: readonly Attempt[],
  member: string,
  parent: string,
  holderOf: (event: Attempt) => unknown,
): void {
  const membersOf = (event: Attempt): readonly string[] => Object.keys(Object(holderOf(event)));
  if (events.some((event) => membersOf(event).includes(member))) return;
  const attempts = events.slice(-1);
  const subject = `the fields of ${parent} in the events of a cancelled delivery`;
  const actual = attempts.flatMap(membersOf);
  throw new WebhookFailure({ subject, relation: "to include", expected: member, actual }, { attempts });
}

const webhookOnlyFields = check({
  id: "emission.payment-and-loss",
  title: "at least one webhook about a delivery has loss, and at least one has payment.collected_parts",
  clauses: [clause["DLV-23"], clause["DLV-56"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createDelivery(context);
    await cancelDelivery(context.api, delivery.id);
    await waitForEvents(inbox, ["delivery.created", "delivery.cancelled"], delivery);
    const events = eventsOf(inbox, delivery);
    context.attributeTo(clause["DLV-56"]);
    expectToAppear(events, "loss", "data", deliveryOf);
    context.attributeTo(clause["DLV-23"]);
    expectToAppear(events, "collected_parts", "data.payment", (event) => deliveryOf(event)?.payment);
  },
});

export const emissionChecks: readonly Check[] = [
  ...emissionUnchangedChecks,
  ...emissionOpeningsChecks,
  changes,
  changesWithACourier,
  addedCoordinates,
  cancellation,
  test,
  versionOrder,
  missedChanges,
  webhookOnlyFields,
];
