import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { DELIVERY_KINDS } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { personName } from "../../session/sample-data/sample-data.ts";
import { type Attempt, envelopeOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { expectFields } from "../../support/assertions.ts";
import { listOnceShown, readPages, sinceCreationOf } from "../../support/lists/delivery-list.ts";
import { expectListed } from "../../support/lists/listed-deliveries.ts";
import {
  CLOCK_TOLERANCE_MS,
  cancelDelivery,
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  expectSameFields,
  integratorFields,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { inIstanbul } from "../../support/orders/orders.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";
import {
  afterPatchOf,
  FIELDS_BESIDE_THE_SCHEDULE,
  type FieldBesideTheSchedule,
  SENT_WITH_AN_OFFSET,
} from "../../support/orders/schedule.ts";
import { expectNoEarlier, instantIn } from "../../support/shown-values.ts";
import { eventsOf, isAbout, waitForEvent } from "../../support/webhooks/delivery-events.ts";

/** Two hours ahead: a server that searches shortly before the scheduled time doesn't search at creation. */
const AHEAD_S = 2 * 3600;
const MINUTE_S = 60;
const DAY_S = 24 * 3600;

const searchInTime = check({
  id: "scheduled.search-starts-in-time",
  title:
    "the search for a courier of a scheduled delivery begins before the scheduled time, also if the time was sent with an offset, or a PATCH changed another field; pages of one entry then list all deliveries whose search began at the same time",
  clauses: [clause["NEW-41"], clause["LIST-38"]],
  needs: ["receiver", "clock"],
  virtualSeconds: AHEAD_S,
  async run(context) {
    const { api, now } = context;
    const { inbox } = await context.subscribe();
    context.attributeTo(clause["NEW-41"]);
    const scheduled_for = isoInstant(now() + AHEAD_S * 1000);
    const unchanged = await createDelivery(context, { scheduled_for });
    const withOffset = await createDelivery(context, { scheduled_for: inIstanbul(now() + AHEAD_S * 1000) });
    const { dropoff } = await context.order();
    const changes: Readonly<Record<FieldBesideTheSchedule, Schemas["DeliveryChange"]>> = {
      notes: { notes: "Arka kapı" },
      ready_at: { ready_at: isoInstant(now() + (AHEAD_S / 2) * 1000) },
      customer: { customer: { name: personName() } },
      dropoff: { dropoff },
    };
    const scheduled: Record<string, Schemas["Delivery"]> = {
      "an unchanged delivery": unchanged,
      [SENT_WITH_AN_OFFSET]: withOffset,
    };
    for (const field of FIELDS_BESIDE_THE_SCHEDULE) {
      const delivery = await createDelivery(context, { scheduled_for });
      (await api.updateDelivery(delivery.id, changes[field])).expectSuccess();
      scheduled[afterPatchOf(field)] = delivery;
    }
    await context.advanceClock(AHEAD_S);
    await context.each(casesFrom("scheduled deliveries", scheduled), async ([, { id }]) => {
      await waitForSearch(inbox, id, scheduled_for);
    });
    // The passive checks judge the response to this request too.
    const searched = await readDelivery(api, unchanged.id);
    context.attributeTo(clause["LIST-38"]);
    const window = sinceCreationOf(unchanged, (await context.store()).external_store_id);
    const listed = await listOnceShown(api, window, [...Object.values(scheduled), searched]);
    const current = Object.values(scheduled).map(
      (delivery) => listed.find(({ id }) => id === delivery.id) ?? delivery,
    );
    // Searches that begin at the same time usually give their deliveries the same updated_at. With one entry on
    // each page, every cursor is between two of them, in whatever order they are listed (OPEN-144).
    const pages = await readPages(api, { ...window, limit: 1 });
    expectListed(pages, current, "deliveries with the same scheduled_for");
  },
});

/** Times ahead that are days away, in order. The last day is within the specified seven. */
const DAYS_AHEAD_S = { "30 hours ahead": 30 * 3600, "6 days ahead": 6 * DAY_S } as const;

const searchDaysLater = check({
  id: "scheduled.search-days-later",
  title: "the search for a courier begins before the scheduled time if that is 30 hours or 6 days ahead",
  clauses: [clause["NEW-41"]],
  needs: ["receiver", "clock"],
  virtualSeconds: DAYS_AHEAD_S["6 days ahead"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const start = context.now();
    const scheduled: { readonly id: string; readonly at: number }[] = [];
    for (const seconds of Object.values(DAYS_AHEAD_S)) {
      const at = start + seconds * 1000;
      scheduled.push({ at, ...(await createDelivery(context, { scheduled_for: isoInstant(at) })) });
    }
    for (const { id, at } of scheduled) {
      await context.advanceClock(Math.ceil((at - context.now()) / 1000));
      await waitForSearch(inbox, id, isoInstant(at));
    }
  },
});

const searchAfterEarlierSchedule = check({
  id: "scheduled.search-follows-an-earlier-schedule",
  title: "the search for a courier begins before the new time if scheduled_for was moved to an earlier time",
  clauses: [clause["NEW-53"]],
  needs: ["receiver", "clock", "pairing"],
  virtualSeconds: 2 * DAY_S,
  async run(context) {
    const { inbox } = await context.subscribe();
    // A store without quotes, because the server may refuse to change the schedule after a quote (OPEN-70).
    const { external_store_id } = await context.anotherStore();
    const start = context.now();
    const { id } = await createDelivery(context, {
      store: { external_store_id },
      scheduled_for: isoInstant(start + 2 * DAY_S * 1000),
    });
    const response = await context.api.updateDelivery(id, {
      scheduled_for: inIstanbul(start + AHEAD_S * 1000),
    });
    // The server may still refuse with 409, because a price or an offer to a courier may count as a quote (OPEN-70).
    if (response.status !== 409) response.expectSuccess();
    const { scheduled_for } = await readDelivery(context.api, id);
    const expected = instantIn(scheduled_for, "scheduled_for");
    await context.advanceClock(Math.ceil((expected - context.now()) / 1000));
    await waitForSearch(inbox, id, `${scheduled_for}, which a PATCH moved to this earlier time`);
  },
});

const SEARCH_EVENT_TYPES = ["delivery.queued", "delivery.offered", "delivery.assigned"] as const;

const searchWithoutSchedule = check({
  id: "scheduled.search-after-removal",
  title:
    "the search for a courier begins, by the former time at the latest, if a PATCH removed scheduled_for",
  clauses: [clause["NEW-58"]],
  needs: ["receiver", "clock", "pairing"],
  virtualSeconds: AHEAD_S,
  async run(context) {
    const { api } = context;
    const { inbox } = await context.subscribe();
    // A store without quotes, because the server may refuse to change the schedule after a quote (OPEN-70).
    const { external_store_id } = await context.anotherStore();
    const scheduled_for = isoInstant(context.now() + AHEAD_S * 1000);
    const { id } = await createDelivery(context, { store: { external_store_id }, scheduled_for });
    const response = await api.updateDelivery(id, { scheduled_for: null });
    // The server may still refuse with 409, because a price or an offer to a courier may count as a quote (OPEN-70).
    if (response.status !== 409) response.expectSuccess();
    await context.advanceClock(AHEAD_S);
    await waitForAnySearchEvent(inbox, id, "a delivery whose scheduled_for was removed");
  },
});

const searchOnceLocated = check({
  id: "scheduled.search-starts-once-located",
  title:
    "the search for a courier begins before the scheduled time, which stays, if a PATCH added the coordinates, and never without coordinates",
  clauses: [clause["NEW-57"], clause["NEW-62"], clause["PATCH-28"]],
  needs: ["receiver", "clock"],
  virtualSeconds: AHEAD_S,
  async run(context) {
    const { inbox } = await context.subscribe();
    const scheduled_for = isoInstant(context.now() + AHEAD_S * 1000);
    const unlocated = await createUnlocatedDelivery(context, { scheduled_for });
    const control = await createDelivery(context, { scheduled_for });
    const { id } = await createUnlocatedDelivery(context, { scheduled_for });
    const { dropoff } = await context.order();
    context.attributeTo(clause["NEW-57"]);
    const located = await changeDelivery(context.api, id, { dropoff });
    const changedAt = context.now();
    context.attributeTo(clause["PATCH-28"]);
    expectFields(located, { scheduled_for }, "the delivery after a PATCH that adds coordinates");
    await context.advanceClock(AHEAD_S);
    // A server that doesn't wait with a search for the schedule (OPEN-22) starts this one with the PATCH, and
    // may report it as delivery.updated only (OPEN-84).
    const search = await waitForSearch(inbox, control.id, scheduled_for);
    context.attributeTo(clause["NEW-62"]);
    const { status: unlocatedStatus, dropoff: place } = await readDelivery(context.api, unlocated.id);
    // If geocoding has found coordinates, the service may search for a courier (OPEN-83).
    expectThat(
      { field: "status", where: "of a delivery without coordinates, at its scheduled time" },
      typeof place.lat === "number" ? "located by the service" : unlocatedStatus,
    ).isNoneOf(["QUEUED", "ASSIGNED"]);
    context.attributeTo(clause["NEW-57"]);
    if (timestampMs(search) <= changedAt + LATE_EMISSION_MS) {
      const { status } = await readDelivery(context.api, id);
      expectThat("status after the PATCH with coordinates", status).isNot("RECEIVED");
      return;
    }
    // An offer or assignment also proves that the search has started. The specification requires delivery.queued
    // only for a delivery that has coordinates at creation, and when an offer lapses.
    await waitForAnySearchEvent(inbox, id, `a delivery scheduled for ${scheduled_for}`);
  },
});

/** Waits for delivery.queued. A search that starts immediately is accepted too (OPEN-22, OPEN-201). */
const waitForSearch = (inbox: Inbox, id: string, scheduledFor: string): Promise<Attempt> =>
  inbox.waitForFirst(isAbout({ id }, "delivery.queued"), {
    field: "delivery.queued",
    where: `of ${id}, scheduled for ${scheduledFor},`,
  });

const waitForAnySearchEvent = (inbox: Inbox, id: string, what: string): Promise<Attempt> =>
  inbox.waitForFirst(
    (attempt) => SEARCH_EVENT_TYPES.some((kind) => isAbout({ id }, kind)(attempt)),
    `${SEARCH_EVENT_TYPES.join(" or ")} of ${id}, ${what}`,
  );

/** Event types that a search or a courier causes: all except those of creation, change and cancellation. */
const COURIER_EVENT_TYPES: readonly string[] = DELIVERY_KINDS.filter(
  (kind) => !["delivery.created", "delivery.updated", "delivery.cancelled"].includes(kind),
);

/** A server with several instances may emit events of the creation just after the cancellation. */
const LATE_EMISSION_MS = 60_000;

const timestampMs = (attempt: Attempt): number => Date.parse(envelopeOf(attempt).timestamp ?? "");

const noSearchAfterCancellation = check({
  id: "scheduled.no-search-after-cancellation",
  title: "no search for a courier begins for a cancelled scheduled delivery",
  clauses: [clause["EVENT-47"]],
  needs: ["receiver", "clock"],
  virtualSeconds: AHEAD_S + MINUTE_S,
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    const scheduled_for = isoInstant(context.now() + AHEAD_S * 1000);
    const delivery = await createDelivery(context, { scheduled_for });
    // Positive control: the search for this delivery proves that the scheduled time has come.
    const control = await createDelivery(context, { scheduled_for });
    await cancelDelivery(context.api, delivery.id);
    const cancelled = await waitForEvent(inbox, "delivery.cancelled", delivery);
    await context.advanceClock(AHEAD_S + MINUTE_S);
    await waitForSearch(inbox, control.id, scheduled_for);
    await waitForSentinelEvent();
    const later = eventsOf(inbox, delivery).filter(
      (event) => timestampMs(event) > timestampMs(cancelled) + LATE_EMISSION_MS,
    );
    const searchEvents = later.filter((event) => COURIER_EVENT_TYPES.includes(kindOf(event)));
    const [event] = searchEvents;
    if (event) inbox.markAsEvidence(event);
    expectThat("events of a courier search after delivery.cancelled", searchEvents.map(kindOf)).isEmpty();
  },
});

const ACTIONS_AFTER_ASSIGNMENT = ["at_pickup", "picked_up", "en_route", "arrived", "delivered"] as const;

const keepsTheOrder = check({
  id: "scheduled.keeps-the-order",
  title:
    "a scheduled, prepaid delivery keeps all fields of its order until it is delivered, hours later by the timestamp of its event",
  clauses: [clause["DLV-72"], clause["EVENT-53"]],
  needs: ["receiver", "courier", "clock"],
  virtualSeconds: AHEAD_S,
  async run(context) {
    const { api, now } = context;
    const { inbox } = await context.subscribe();
    const { customer, dropoff } = await context.order();
    const scheduled_for = isoInstant(now() + AHEAD_S * 1000);
    context.attributeTo(clause["DLV-72"]);
    const created = await createPrepaidDelivery(context, {
      scheduled_for,
      ready_at: isoInstant(now() + 20 * MINUTE_S * 1000),
      notes: "Ön kapı",
      package_count: 3,
      require_pin: true,
      customer: { ...customer, phone_extension: "77", note: "Alerjisi var" },
      dropoff: { ...dropoff, directions: "3. kat, daire 5" },
    });
    const { id } = created;
    const expectKept = async (when: string) =>
      expectSameFields(
        integratorFields(await readDelivery(api, id)),
        integratorFields(created),
        `the delivery ${when}`,
      );
    await expectKept("before the search for a courier");
    await context.advanceClock(AHEAD_S);
    await waitForSearch(inbox, id, scheduled_for);
    await expectKept("after the search for a courier began");
    await context.performCourierActionsUpTo(id, "assigned");
    await expectKept("after assigned");
    for (const action of ACTIONS_AFTER_ASSIGNMENT) {
      if (!(await context.performCourierAction(id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      await expectKept(`after ${action}`);
    }
    context.attributeTo(clause["EVENT-53"]);
    const delivered = await waitForEvent(inbox, "delivery.delivered", created);
    expectNoEarlier(
      envelopeOf(delivered).timestamp,
      now() - CLOCK_TOLERANCE_MS,
      "the timestamp of delivery.delivered, hours after the creation",
    );
  },
});

export const scheduledChecks: readonly Check[] = [
  searchInTime,
  searchDaysLater,
  searchAfterEarlierSchedule,
  searchWithoutSchedule,
  searchOnceLocated,
  noSearchAfterCancellation,
  keepsTheOrder,
];
