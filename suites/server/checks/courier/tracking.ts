import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant, wallClock } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { extractTrackingKey, findTrackingKey, getTracking } from "../../support/courier/tracking.ts";
import {
  cancelDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import {
  exhaust,
  expectAllowance,
  expectRetryAfter,
  type Limit,
  UNTHROTTLED,
} from "../../support/rate-limit.ts";
import { trackingContentsChecks } from "./tracking-contents.ts";

const withoutToken = check({
  id: "tracking.without-a-token",
  smokeTestOf: "getTracking",
  title: "the key in a delivery's tracking_url returns its tracking data without a token",
  clauses: [clause["TRACK-1"], clause["AUTH-10"]],
  async run(context) {
    await findTrackingKey(context.anonymous, await createDelivery(context));
  },
});

const afterChanges = check({
  id: "tracking.after-changes",
  title: "the tracking link that a delivery was created with still works after a PATCH",
  clauses: [clause["TRACK-21"]],
  async run(context) {
    const { anonymous, api } = context;
    const delivery = await createDelivery(context);
    const key = await findTrackingKey(anonymous, delivery);
    const { dropoff } = await context.order();
    const changes = { "a PATCH of notes": { notes: "Zile basmayın" }, "a PATCH of dropoff": { dropoff } };
    await context.each(casesFrom("changes", changes), async ([, change]) => {
      (await api.updateDelivery(delivery.id, change)).expectSuccess();
      (await getTracking(anonymous, key)).expectStatus(200);
    });
  },
});

const unknownKey = check({
  id: "tracking.unknown-key",
  title: "a request with an unknown tracking key gets 404",
  clauses: [clause["TRACK-14"]],
  async run(context) {
    const key = await findTrackingKey(context.anonymous, await createDelivery(context));
    const otherKey = [...key].map((letter) =>
      /[a-z]/i.test(letter) ? "a" : /\d/.test(letter) ? "1" : letter,
    );
    (await getTracking(context.anonymous, otherKey.join(""))).expectStatus(404);
  },
});

const MINUTE_S = 60;
/** The minutes from the creations to the ends of the deliveries in the check of the end. */
const UNTIL_END_MIN = 100;
const DAY_S = 86_400;
/** Minutes after the end, shortly before and after tracking must end. */
const [WITHIN_MIN, AFTER_MIN] = [119, 121];

const sinceEnd = (delivery: string, minutes: number): string =>
  `${delivery}, ${minutes} minutes after its end, ${UNTIL_END_MIN + minutes} after its creation`;

const AFTER_ASSIGNMENT = "a delivery cancelled after the assignment of a courier";

/**
 * Returns undefined if the delivery has no tracking key yet. A delivery that waits for its location or its
 * scheduled time needs no key (OPEN-54).
 */
async function trackingKeyIfAny(anonymous: Api, delivery: Schemas["Delivery"]): Promise<string | undefined> {
  try {
    return await findTrackingKey(anonymous, delivery);
  } catch (error) {
    if (error instanceof CheckSkipped) return undefined;
    throw error;
  }
}

const endAfterTwoHours = check({
  id: "tracking.end",
  title:
    "tracking works for 2 hours after delivery or cancellation, no matter when the delivery was created or assigned, and then returns 410 TAKIP_KAPANDI",
  clauses: [clause["TRACK-10"], clause["TRACK-11"], clause["TRACK-12"], clause["TRACK-13"], clause["ERR-25"]],
  needs: ["courier", "clock"],
  virtualSeconds: 221 * MINUTE_S,
  async run(context) {
    const { anonymous, api, advanceClock } = context;
    const delivered = await createDelivery(context);
    const assigned = await createDelivery(context);
    const cancelled = {
      "a cancelled delivery": await createDelivery(context),
      [AFTER_ASSIGNMENT]: assigned,
    };
    const waiting = {
      "a cancelled delivery without coordinates": await createUnlocatedDelivery(context),
      "a delivery cancelled before its scheduled time": await createDelivery(context, {
        scheduled_for: isoInstant(context.now() + DAY_S * 1000),
      }),
    };
    const trackedDeliveries: Record<string, { key: string; within: ClauseId; after: ClauseId }> = {
      "a completed delivery": {
        key: await extractTrackingKey(anonymous, delivered),
        within: clause["TRACK-10"],
        after: clause["TRACK-11"],
      },
    };
    const cancelledClauses = { within: clause["TRACK-12"], after: clause["TRACK-13"] };
    for (const [name, delivery] of Object.entries(cancelled))
      trackedDeliveries[name] = { key: await extractTrackingKey(anonymous, delivery), ...cancelledClauses };
    for (const [name, delivery] of Object.entries(waiting)) {
      const key = await trackingKeyIfAny(anonymous, delivery);
      if (key !== undefined) trackedDeliveries[name] = { key, ...cancelledClauses };
    }
    const tracked = casesFrom("deliveries", trackedDeliveries);
    // Tracking must end 2 hours after the delivery's end, not after its creation, assignment or pick-up, so the
    // clock advances before the end.
    await context.performCourierActionsUpTo(delivered.id, "picked_up");
    await context.performCourierActionsUpTo(assigned.id, "assigned");
    await advanceClock(UNTIL_END_MIN * MINUTE_S);
    for (const action of ["en_route", "arrived", "delivered"] as const) {
      if (!(await context.performCourierAction(delivered.id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
    }
    for (const { id } of Object.values({ ...cancelled, ...waiting })) await cancelDelivery(api, id);
    const expectTracking = (minutes: number) =>
      context.each(tracked, async ([name, { key, within }]) => {
        context.attributeTo(within);
        const response = await getTracking(anonymous, key);
        if (response.status !== 200) throw response.failureOfStatus(200, sinceEnd(name, minutes));
      });
    await expectTracking(0);
    await advanceClock(WITHIN_MIN * MINUTE_S);
    await expectTracking(WITHIN_MIN);
    await advanceClock((AFTER_MIN - WITHIN_MIN) * MINUTE_S);
    await context.each(tracked, async ([name, { key, after }]) => {
      context.attributeTo(after, clause["ERR-25"]);
      const response = await getTracking(anonymous, key);
      if (response.status !== 410) throw response.failureOfStatus(410, sinceEnd(name, AFTER_MIN));
      response.expectError(410, "TAKIP_KAPANDI");
    });
  },
});

const whileOpen = check({
  id: "tracking.while-open",
  title: "tracking works as long as a delivery is open, also days after its creation",
  clauses: [clause["TRACK-22"]],
  needs: ["clock"],
  virtualSeconds: 3 * DAY_S,
  async run(context) {
    const { anonymous } = context;
    const deliveries = {
      "a delivery that nobody has taken": await createDelivery(context),
      "a delivery scheduled in five days": await createDelivery(context, {
        scheduled_for: isoInstant(context.now() + 5 * DAY_S * 1000),
      }),
    };
    const tracked: Record<string, { readonly id: string; readonly key: string }> = {};
    for (const [name, delivery] of Object.entries(deliveries)) {
      const key = await trackingKeyIfAny(anonymous, delivery);
      if (key !== undefined) tracked[name] = { id: delivery.id, key };
    }
    await context.advanceClock(3 * DAY_S);
    // A service may cancel a delivery that no courier takes, or let it fail.
    const open: typeof tracked = {};
    for (const [name, one] of Object.entries(tracked)) {
      const { cancelled_at, failure_reason } = await readDelivery(context.api, one.id);
      if (!cancelled_at && !failure_reason) open[name] = one;
    }
    if (Object.keys(open).length === 0) throw new CheckSkipped("no open delivery has a tracking key");
    await context.each(casesFrom("open deliveries", open), async ([, { key }]) => {
      (await getTracking(anonymous, key)).expectStatus(200);
    });
  },
});

const endForGood = check({
  id: "tracking.end-for-good",
  title: "a tracking link still returns 410, not 404, a day later, that of a test delivery too",
  clauses: [clause["TRACK-20"]],
  needs: ["courier", "clock"],
  virtualSeconds: DAY_S + 120 * MINUTE_S,
  async run(context) {
    const { anonymous } = context;
    const delivered = await createDelivery(context);
    const cancelled = await createDelivery(context);
    // A test delivery needs no key (OPEN-13).
    const testKey = await trackingKeyIfAny(anonymous, await createDelivery(context, { test: true }));
    const keys = casesFrom("deliveries", {
      "a completed delivery": await findTrackingKey(anonymous, delivered),
      "a cancelled delivery": await findTrackingKey(anonymous, cancelled),
      ...(testKey !== undefined && { "a test delivery": testKey }),
    });
    await context.performCourierActionsUpTo(delivered.id, "delivered");
    await cancelDelivery(context.api, cancelled.id);
    await context.advanceClock(DAY_S + 120 * MINUTE_S);
    await context.each(keys, async ([, key]) => {
      (await getTracking(anonymous, key)).expectError(410, "TAKIP_KAPANDI");
    });
  },
});

const limit = check({
  id: "tracking.limit",
  title: "60 tracking requests a minute are accepted, and well above that further requests get 429",
  clauses: [clause["LIMIT-12"], clause["LIMIT-13"], clause["LIMIT-41"]],
  isolation: "runs-last",
  async run(context) {
    context.recordCoverage("limits", ["tracking"]);
    const { api } = context.freshAnonymous();
    const key = await findTrackingKey(api, await createDelivery(context));
    const tracking: Limit = {
      perMinute: 60,
      concurrency: 10,
      send: () => api.call("getTracking", { path: { key } }, UNTHROTTLED),
      budget: api.options.address().tracking,
    };
    // The requests of other clients may count towards the same limit, because a limit may apply per IP address,
    // per key or globally (OPEN-174).
    context.attributeTo(clause["LIMIT-13"]);
    const passed = await expectAllowance(context, tracking, false);
    context.attributeTo(clause["LIMIT-12"]);
    const limited = await exhaust(tracking, passed);
    limited.expectError(429, "HIZ_SINIRI");
    context.attributeTo(clause["LIMIT-41"]);
    expectRetryAfter(limited, wallClock(), "tracking");
  },
});

export const trackingChecks: readonly Check[] = [
  withoutToken,
  afterChanges,
  unknownKey,
  ...trackingContentsChecks,
  endAfterTwoHours,
  whileOpen,
  endForGood,
  limit,
];
