import { clause } from "../../../../openapi/generated/clauses.ts";
import { wallClock } from "../../../core/clock.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation, subjectParts } from "../../../core/grading/failures/mismatch.ts";
import { textOf } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Check, check } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { type Attempt, deliveryOf, kindOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { ARRIVAL_MS } from "../../session/webhook-receiver/inbox.ts";
import { isSignedWith, librarySignature } from "../../session/webhook-receiver/signature.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import {
  FAILURE_REASON,
  failDelivery,
  reportPosition,
  returnToStore,
} from "../../support/courier/courier.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { expectNoEarlier, expectNoLater } from "../../support/shown-values.ts";
import { arrivalsOf } from "../../support/webhooks/arrivals.ts";
import { instantOfSecond, sentAt } from "../../support/webhooks/attempt-times.ts";
import {
  createChangeAndCancel,
  INTEGRATOR_KINDS,
  isAbout,
  waitForEvent,
  waitForEvents,
  waitForPositions,
} from "../../support/webhooks/delivery-events.ts";
import {
  expectHeaderForms,
  expectSignatureForm,
  expectSignatureHeader,
  expectSigned,
  expectTimestampForm,
} from "../../support/webhooks/webhook-signatures.ts";

/**
 * Receivers reject timestamps that differ by more from their clock (specification, "Request headers of a
 * delivery attempt").
 */
const TOLERANCE_S = 300;

/** Turkish letters, an emoji, a combining mark, and characters that JSON can encode in several ways. */
const SPECIAL_LETTERS = 'Çiğ köfte, ızgara & "İçli" köfte 🍢 <acılı> — cafe\u0301/bistro';

/** The failure of a second event that has the first one's webhook-id, so that it looks like a repetition. */
function reusedId(updates: readonly Attempt[]): WebhookFailure | undefined {
  const [first, ...others] = updates;
  const second = first && others.find((one) => deliveryOf(one)?.version !== deliveryOf(first)?.version);
  if (!second) return undefined;
  const where = "of the delivery.updated of a second change, which has another version than the first";
  return new WebhookFailure(
    {
      ...subjectParts({ field: "webhook-id", where }),
      relation: "not to be",
      expected: webhookId(first),
      actual: webhookId(second),
    },
    { attempts: [first, second] },
  );
}

function eventName(attempt: Attempt): string {
  const delivery = deliveryOf(attempt);
  return delivery ? `${kindOf(attempt)} of ${textOf(delivery.id)}` : kindOf(attempt);
}

/** Asserts that no two events have the same webhook-id. A type and a delivery identify an event. */
function expectOwnIds(attempts: readonly Attempt[]): void {
  const shared = [...Map.groupBy(attempts, webhookId).values()]
    .map((alike) => [...new Map(alike.map((attempt) => [eventName(attempt), attempt])).values()])
    .filter(({ length }) => length > 1);
  const [first, ...others] = shared;
  if (!first) return;
  const kinds = [...new Set(first.map(kindOf))];
  // The types are short enough for a line. The deliveries are needed only if the types are equal.
  const names = kinds.length === first.length ? kinds : first.map(eventName);
  const rest = names.length > 2 ? ` and ${names.length - 2} more events` : "";
  throw new WebhookFailure(
    {
      ...forbiddenObservation(`${names.slice(0, 2).join(" and ")}${rest} have the same webhook-id`),
      expected: described("a webhook-id for each event"),
      actual: shared.map((alike) => alike.map(eventName).join(", ")),
      ...(others.length > 0 && { note: `${shared.length} webhook-ids have several events` }),
    },
    { attempts: first },
  );
}

const headers = check({
  id: "signatures.headers",
  title:
    "every attempt has its event's webhook-id, its time in Unix seconds as webhook-timestamp, and v1,<base64> as webhook-signature",
  clauses: [
    clause["EVENT-33"],
    clause["EVENT-34"],
    clause["EVENT-36"],
    clause["EVENT-37"],
    clause["EVENT-39"],
  ],
  needs: ["receiver"],
  async run(context) {
    const { attributeTo } = context;
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    // `waitForEvents` doesn't find an event with a wrong webhook-id.
    attributeTo(clause["EVENT-33"], clause["EVENT-34"]);
    await waitForEvents(inbox, INTEGRATOR_KINDS, await createChangeAndCancel(context));
    const delivery = await createDelivery(context);
    await changeDelivery(context.api, delivery.id, { notes: "Zile basmayın" });
    const first = webhookId(await waitForEvent(inbox, "delivery.updated", delivery));
    attributeTo(clause["EVENT-34"]);
    await changeDelivery(context.api, delivery.id, { notes: "Kapıya bırakın" });
    const isUpdate = isAbout(delivery, "delivery.updated");
    const isSecond = (attempt: Attempt) => isUpdate(attempt) && webhookId(attempt) !== first;
    await inbox.waitUntil(
      (attempts) => attempts.some(isSecond),
      "delivery.updated of the second change of a delivery",
      ARRIVAL_MS,
      () => reusedId(inbox.attempts.filter(isUpdate)),
    );
    attributeTo(clause["EVENT-33"], clause["EVENT-34"]);
    await waitForSentinelEvent();
    const clockOffsetMs = context.now() - wallClock();
    await context.each(arrivalsOf(inbox), (attempt) => {
      inbox.markAsEvidence(attempt);
      attributeTo(clause["EVENT-36"]);
      expectTimestampForm(attempt);
      attributeTo(clause["EVENT-37"]);
      const arrivalS = (attempt.receivedAt + clockOffsetMs) / 1000;
      const sent = instantOfSecond(sentAt(attempt));
      expectNoEarlier(sent, (arrivalS - TOLERANCE_S - 1) * 1000, "webhook-timestamp");
      expectNoLater(sent, (arrivalS + TOLERANCE_S) * 1000, "webhook-timestamp");
      attributeTo(clause["EVENT-39"]);
      expectSignatureForm(attempt);
      attributeTo(clause["EVENT-33"]);
      expectThat(`webhook-id of ${kindOf(attempt)}`, webhookId(attempt)).isNot("");
    });
    attributeTo(clause["EVENT-34"]);
    expectOwnIds(inbox.attempts);
  },
});

const everyEvent = check({
  id: "signatures.of-events",
  title: "every event is signed over its id, timestamp and body with the key decoded from the secret",
  clauses: [clause["SIGN-1"], clause["SIGN-3"], clause["SIGN-4"]],
  needs: ["receiver"],
  async run(context) {
    context.recordCoverage("event-kinds-without-a-courier", elementsOf("event-kinds-without-a-courier"));
    const { inbox, waitForSentinelEvent, secret } = await context.subscribe();
    await waitForEvents(inbox, INTEGRATOR_KINDS, await createChangeAndCancel(context));
    await waitForSentinelEvent();
    // If at least one attempt's signature is valid, the scheme is right, so invalid signatures of the others
    // violate SIGN-4.
    const isSchemeRight = inbox.attempts.some((attempt) => isSignedWith(attempt, secret));
    context.attributeTo(...(isSchemeRight ? [clause["SIGN-4"]] : [clause["SIGN-1"], clause["SIGN-3"]]));
    expectSigned(inbox.attempts, secret);
  },
});

async function expectAllSigned({ inbox, waitForSentinelEvent, secret }: Subscription): Promise<void> {
  await waitForSentinelEvent();
  expectSigned(inbox.attempts, secret);
}

const courierEvents = check({
  id: "signatures.of-courier-events",
  title:
    "the events of courier actions up to the delivery have headers of the same form and are signed like all other events, after a rotation with the new secret",
  clauses: [clause["SIGN-8"], clause["EVENT-52"]],
  needs: ["receiver", "courier"],
  async run(context) {
    context.recordCoverage("courier-actions-until-delivery", elementsOf("courier-actions-until-delivery"));
    const subscription = await context.subscribe();
    const { id, inbox, secret } = subscription;
    context.attributeTo(clause["SIGN-8"]);
    const delivered = await createDelivery(context);
    await context.performCourierActionsUpTo(delivered.id, "picked_up");
    const earlierKinds = ["delivery.assigned", "delivery.at_pickup", "delivery.picked_up"] as const;
    await waitForEvents(inbox, earlierKinds, delivered);
    expectSigned(inbox.attempts, secret);
    const rotation = await context.api.call("rotateWebhookSecret", { path: { id } });
    const rotated = rotation.expectSuccess().body(200).secret;
    for (const action of ["en_route", "arrived", "delivered"] as const) {
      if (!(await context.performCourierAction(delivered.id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
    }
    const laterKinds = ["delivery.en_route", "delivery.arrived", "delivery.delivered"] as const;
    await waitForEvents(inbox, laterKinds, delivered);
    const later = inbox.attempts.filter((attempt) =>
      laterKinds.some((kind) => isAbout(delivered, kind)(attempt)),
    );
    expectSigned(later, rotated, "the new secret");
    context.attributeTo(clause["EVENT-52"]);
    expectHeaderForms(inbox);
  },
});

const positionEvents = check({
  id: "signatures.of-courier-locations",
  title: "the events of a courier's positions are signed like all other events",
  clauses: [clause["SIGN-9"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const subscription = await context.subscribe({ event_types: [LOCATION_KIND] });
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "en_route");
    await reportPosition(context, delivery.id, near(context.point, 3));
    await waitForPositions(subscription.inbox, delivery, 1);
    await expectAllSigned(subscription);
  },
});

const returnEvents = check({
  id: "signatures.of-returns",
  title: "the events of a return are signed like all other events",
  clauses: [clause["SIGN-10"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const subscription = await context.subscribe();
    const returned = await createDelivery(context);
    await returnToStore(context, returned.id);
    await waitForEvents(subscription.inbox, ["delivery.returning", "delivery.returned"], returned);
    await expectAllSigned(subscription);
  },
});

const offerEvents = check({
  id: "signatures.of-offers",
  title: "the event of an offer is signed like all other events",
  clauses: [clause["SIGN-11"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const subscription = await context.subscribe();
    const offered = await createDelivery(context);
    await context.performCourierActionsUpTo(offered.id, "offered");
    await waitForEvent(subscription.inbox, "delivery.offered", offered);
    await expectAllSigned(subscription);
  },
});

const failureEvents = check({
  id: "signatures.of-failures",
  title: "the event of a failed delivery is signed like all other events",
  clauses: [clause["SIGN-12"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const subscription = await context.subscribe();
    const failed = await createDelivery(context);
    await failDelivery(context, failed.id, FAILURE_REASON);
    await waitForEvent(subscription.inbox, "delivery.failed", failed);
    await expectAllSigned(subscription);
  },
});

const exactBytes = check({
  id: "signatures.of-the-bytes",
  title: "the signature covers the exact bytes of the body, whatever its text",
  clauses: [clause["SIGN-2"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, secret } = await context.subscribe();
    const delivery = await createDelivery(context, { notes: SPECIAL_LETTERS });
    const event = await waitForEvent(inbox, "delivery.created", delivery);
    // Lost letters are another check's finding.
    expectSigned([event], secret);
  },
});

const ownSecrets = check({
  id: "signatures.own-secrets",
  title: "each endpoint's events are signed with its own secret, and not with another's",
  clauses: [clause["SIGN-6"]],
  needs: ["receiver"],
  async run(context) {
    const [first, second] = [await context.subscribe(), await context.subscribe()];
    const delivery = await createDelivery(context);
    const endpoints = { "the first": [first, second], "the second": [second, first] } as const;
    await context.each(casesFrom("endpoints", endpoints), async ([, [own, others]]) => {
      const event = await waitForEvent(own.inbox, "delivery.created", delivery);
      expectSigned([event], own.secret);
      expectThat("the secret of an event's signature", described("another endpoint's secret")).satisfies(
        "only its own endpoint's secret",
        !isSignedWith(event, others.secret),
      );
    });
  },
});

const keptSecret = check({
  id: "signatures.kept-secret",
  title:
    "an endpoint's secret stays the same when the list is read and other endpoints are rotated or deleted",
  clauses: [clause["SIGN-6"]],
  needs: ["receiver"],
  async run(context) {
    const { api, subscribe } = context;
    const { inbox, secret } = await subscribe({ event_types: ["delivery.created"] });
    const [deleted, rotated] = [
      await subscribe({ event_types: ["delivery.cancelled"] }),
      await subscribe({ event_types: ["delivery.cancelled"] }),
    ];
    // The rotation is last, because a secret that it changes makes the signatures after later calls wrong too.
    const calls = {
      "reading the list": () => api.call("listWebhooks"),
      "deleting another endpoint": () => api.call("deleteWebhook", { path: { id: deleted.id } }),
      "rotating another endpoint's secret": () =>
        api.call("rotateWebhookSecret", { path: { id: rotated.id } }),
    };
    await context.each(casesFrom("calls", calls), async ([, call]) => {
      (await call()).expectSuccess();
      const event = await waitForEvent(inbox, "delivery.created", await createDelivery(context));
      expectSigned([event], secret);
    });
  },
});

const library = check({
  id: "signatures.library",
  title: "a Standard Webhooks library verifies the signature",
  clauses: [clause["SIGN-7"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent, secret } = await context.subscribe();
    await waitForEvents(
      inbox,
      INTEGRATOR_KINDS,
      await createChangeAndCancel(context, { notes: SPECIAL_LETTERS }),
    );
    await waitForSentinelEvent();
    await context.each(arrivalsOf(inbox), (attempt) => {
      inbox.markAsEvidence(attempt);
      expectSignatureHeader(attempt, librarySignature(attempt, secret));
    });
  },
});

export const signaturesChecks: readonly Check[] = [
  headers,
  everyEvent,
  courierEvents,
  positionEvents,
  returnEvents,
  offerEvents,
  failureEvents,
  exactBytes,
  ownSecrets,
  keptSecret,
  library,
];
