import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant, poll } from "../../../core/clock.ts";
import { inUnits } from "../../../core/durations.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import { cancelOrSkip, createDelivery, createUnlocatedDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";
import {
  expectQuote,
  FAR_KM,
  newStoreWithArea,
  north,
  quoteRequest,
  storeAndDropoff,
} from "../../support/service-area.ts";

type CreditContext = ContextFor<"credit">;

const POLL_MS = 250;
const DAY_MS = 86_400_000;

const UNKNOWN_CREDIT = "so it is unknown which credit a cancelled delivery consumes";

/** Later timeouts are divided by this after a failure, because the failure already decides the check. */
const TIMEOUT_DIVISOR_AFTER_FAILURE = 10;

/**
 * The maximum number of orders to create and deliver until the count rises. One may not suffice, because a refund
 * for an earlier order can offset the credit of a new one.
 */
const MAX_CONTROLS = 3;

/**
 * Creates an order, delivers it if the control interface moves couriers, and returns the maximum count of consumed
 * credit expected after later requests. An order that stays open keeps the credit of its creation.
 * @throws CheckSkipped if the count doesn't rise
 */
async function creditLimitAfterOrder(context: CreditContext): Promise<number> {
  const { creditConsumed, deliverIfPossible, eventualTimeoutMs } = context;
  let lowest = await creditConsumed();
  const risenCredit = async () => {
    const consumed = await creditConsumed();
    lowest = Math.min(lowest, consumed);
    return consumed > lowest ? consumed : undefined;
  };
  for (let controls = 0; controls < MAX_CONTROLS; controls += 1) {
    const control = await createDelivery(context);
    await deliverIfPossible(control.id);
    const risen = await poll(risenCredit, { within: eventualTimeoutMs / MAX_CONTROLS, every: POLL_MS });
    // The credit of orders that didn't raise the count may still be counted later.
    if (risen !== undefined) return risen + controls;
  }
  throw new CheckSkipped(
    "no order of the check consumes credit here, so the check can't tell which requests consume none",
  );
}

/** Asserts that an action doesn't consume credit permanently. */
type ExpectNoCredit = (action: () => Promise<void>, what?: string) => Promise<void>;

/**
 * Returns an assertion that compares the count of consumed credit with the count after another order. The
 * count may fall, because credit of earlier orders may be refunded.
 */
async function noCreditAssertion(context: CreditContext): Promise<ExpectNoCredit> {
  const { creditConsumed, eventualTimeoutMs } = context;
  let maxExpected: number | undefined = await creditLimitAfterOrder(context);
  let timeoutMs = eventualTimeoutMs;
  return async (action, what = "the requests") => {
    const before = maxExpected ?? (await creditLimitAfterOrder(context));
    // If the action fails, its order may keep its credit, so the next action needs a new maximum.
    maxExpected = undefined;
    await action();
    // Credit may be consumed and refunded some time after the response (OPEN-16).
    const settled = await poll(
      async () => {
        const consumed = await creditConsumed();
        return consumed <= before ? consumed : undefined;
      },
      { within: timeoutMs, every: POLL_MS },
    );
    const consumed = settled ?? (await creditConsumed());
    const waited = inUnits(timeoutMs / 1000);
    // The next action isn't blamed for credit that this action consumed, and doesn't wait as long.
    maxExpected = Math.max(before, consumed);
    if (settled === undefined) timeoutMs = eventualTimeoutMs / TIMEOUT_DIVISOR_AFTER_FAILURE;
    const note = `it was ${before} before ${what}, which consume none, and the suite waited ${waited} for a refund`;
    expectThat(`consumed credit after ${what}`, consumed, { note }).isAtMost(before);
  };
}

/** Asserts that a single action doesn't consume credit permanently. `what` names its requests. */
const expectNoCredit = async (context: CreditContext, ...action: Parameters<ExpectNoCredit>): Promise<void> =>
  (await noCreditAssertion(context))(...action);

async function createAndLocate(context: CreditContext): Promise<{ readonly id: string }> {
  const { id } = await createUnlocatedDelivery(context);
  const dropoff = { text: streetAddress(), ...near(context.point) };
  (await context.api.updateDelivery(id, { dropoff })).expectSuccess();
  return { id };
}

async function createAndMove(context: CreditContext): Promise<{ readonly id: string }> {
  const { id } = await createDelivery(context);
  const dropoff = { text: streetAddress(), ...near(context.point, 2) };
  (await context.api.updateDelivery(id, { dropoff })).expectSuccess();
  return { id };
}

interface Creation {
  readonly id: string;
  /** Sends the creation once more, after the cancellation. */
  readonly repeat?: () => Promise<void>;
}

async function createTwice({ api, order }: CreditContext): Promise<Creation> {
  const [key, body] = [newIdempotencyKey(), await order()];
  const { id } = (await api.createDelivery(body, { key })).body(201);
  const repeat = async () => {
    (await api.createDelivery(body, { key })).expectSuccess();
  };
  await repeat();
  return { id, repeat };
}

const cancelled = check({
  id: "credit.cancelled",
  title: "a cancelled delivery consumes no credit, regardless of how it was created",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit"],
  async run(context) {
    const expectNone = await noCreditAssertion(context);
    const tomorrow = { scheduled_for: isoInstant(context.now() + DAY_MS) };
    const creations: Record<string, () => Promise<Creation>> = {
      "with coordinates": () => createDelivery(context),
      "without coordinates": () => createUnlocatedDelivery(context),
      "located later": () => createAndLocate(context),
      "scheduled for tomorrow": () => createDelivery(context, tomorrow),
      "created twice with one key": () => createTwice(context),
      "with a changed address": () => createAndMove(context),
      prepaid: () => createPrepaidDelivery(context),
    };
    await context.each(casesFrom("deliveries", creations), ([, create]) =>
      expectNone(async () => {
        const { id, repeat } = await create();
        (await context.api.cancelDelivery(id)).expectSuccess();
        await repeat?.();
      }),
    );
  },
});

const cancelledWithCourier = check({
  id: "credit.cancelled-with-a-courier",
  title: "a delivery cancelled with its courier assigned or at the restaurant consumes no credit",
  clauses: [clause["CREDIT-1"]],
  needs: ["credit", "courier"],
  async run(context) {
    const expectNone = await noCreditAssertion(context);
    await context.each(cases("courier actions", ["assigned", "at_pickup"] as const), (action) =>
      expectNone(async () => {
        const { id } = await createDelivery(context);
        await context.performCourierActionsUpTo(id, action);
        await cancelOrSkip(
          context.api,
          id,
          `after the courier action ${action} was refused, ${UNKNOWN_CREDIT}`,
        );
      }),
    );
  },
});

const cancelledAfterAnOffer = check({
  id: "credit.cancelled-after-an-offer",
  title: "a delivery cancelled during an offer or after it lapsed consumes no credit",
  clauses: [clause["CREDIT-4"]],
  needs: ["credit", "courier"],
  async run(context) {
    const { performCourierAction, performCourierActionsUpTo } = context;
    const expectNone = await noCreditAssertion(context);
    const offers = {
      "during the offer": async () => {},
      "after it lapsed": async (id: string) => {
        if (!(await performCourierAction(id, "offer_lapsed")))
          throw new CheckSkipped(
            "the control interface refused the courier action offer_lapsed after an offer",
          );
      },
    };
    await context.each(casesFrom("offers", offers), ([name, endOffer]) =>
      expectNone(async () => {
        const { id } = await createDelivery(context);
        await performCourierActionsUpTo(id, "offered");
        await endOffer(id);
        await cancelOrSkip(context.api, id, `${name} was refused, ${UNKNOWN_CREDIT}`);
      }),
    );
  },
});

/** The number of refused cancellations of each delivery. */
const REFUSED_CANCELLATIONS = 3;

/**
 * Asserts that refused cancellations give no credit back.
 * @param pendingRefunds the number of earlier refunds that may still come
 */
async function expectNoRefund({ api, creditConsumed }: CreditContext, id: string, pendingRefunds = 0) {
  const before = await creditConsumed();
  for (let sent = 0; sent < REFUSED_CANCELLATIONS; sent += 1) (await api.cancelDelivery(id)).expectError(409);
  const refunds =
    pendingRefunds > 0 ? ", and the refund of the accepted cancellation may have come since" : "";
  expectThat(
    { field: "consumed credit", where: `after ${REFUSED_CANCELLATIONS} refused cancellations` },
    await creditConsumed(),
    { note: `it was ${before} before them${refunds}` },
  ).isAtLeast(before - pendingRefunds);
}

const repeatedCancellation = check({
  id: "credit.repeated-cancellation",
  title: "refused cancellations of a cancelled delivery give no credit back",
  clauses: [clause["CREDIT-5"]],
  needs: ["credit"],
  async run(context) {
    await creditLimitAfterOrder(context);
    const { id } = await createDelivery(context);
    (await context.api.cancelDelivery(id)).expectSuccess();
    // The refund for the accepted cancellation may come later (OPEN-16).
    await expectNoRefund(context, id, 1);
  },
});

const refusedCancellation = check({
  id: "credit.refused-cancellation",
  title:
    "refused cancellations of a delivery that the courier has, or of a delivered one, give no credit back",
  clauses: [clause["CREDIT-5"]],
  needs: ["credit", "courier"],
  async run(context) {
    await creditLimitAfterOrder(context);
    const deliveries = { "with the courier": "picked_up", delivered: "delivered" } as const;
    await context.each(casesFrom("deliveries that can't be cancelled", deliveries), async ([, action]) => {
      const { id } = await createDelivery(context);
      await context.performCourierActionsUpTo(id, action);
      await expectNoRefund(context, id);
    });
  },
});

const quoted = check({
  id: "credit.quoted",
  title: "a quote consumes no credit, serviceable or not, for now or for later",
  clauses: [clause["CREDIT-2"]],
  needs: ["credit"],
  async run(context) {
    const { api, now, store, point } = context;
    const served = quoteRequest(await store(), near(point));
    await expectNoCredit(context, async () => {
      const scheduled_for = isoInstant(now() + DAY_MS);
      for (const request of [
        served,
        { ...served, dropoff: { lat: 0, lng: 0 } },
        { ...served, scheduled_for },
      ]) {
        expectQuote(await api.createQuote(request));
      }
    });
  },
});

/**
 * Expects a quote that isn't serviceable, or the 409 for a suspended store (OPEN-64).
 * @throws CheckSkipped if the quote is serviceable
 */
function expectUnserviceable(response: ApiResponse<"createQuote">): void {
  if (response.status !== 409 && expectQuote(response).serviceable)
    throw new CheckSkipped("a quote for a suspended store or a drop-off far away is serviceable");
}

const quotedFarAway = check({
  id: "credit.unserviceable-quote",
  title: "a quote for a drop-off that is too far away consumes no credit",
  clauses: [clause["CREDIT-2"]],
  needs: ["credit", "pairing", "store-settings"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithArea(context);
    await expectNoCredit(context, async () =>
      expectUnserviceable(await api.createQuote(quoteRequest(store, north(point, FAR_KM)))),
    );
  },
});

const quotedWhileSuspended = check({
  id: "credit.quoted-while-suspended",
  title:
    "a quote for a suspended store consumes no credit, nor does a delivery of another store that is cancelled while its store is suspended",
  clauses: [clause["CREDIT-3"], clause["CREDIT-6"]],
  needs: ["credit", "pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, configureStore, point } = context;
    const store = await newStoreWithArea(context);
    const expectNone = await noCreditAssertion(context);
    attributeTo(clause["CREDIT-6"]);
    await expectNone(async () => {
      const { id } = await createDelivery(context, storeAndDropoff(store, near(point)));
      await configureStore(store.id, { status: "suspended" });
      (await api.cancelDelivery(id)).expectSuccess("its store was suspended after its creation");
    });
    attributeTo(clause["CREDIT-3"]);
    await expectNone(async () =>
      expectUnserviceable(await api.createQuote(quoteRequest(store, near(point)))),
    );
  },
});

/** The number of test deliveries. If the count of consumed credit falls after each of them, the check fails. */
const TEST_DELIVERIES = 3;

const testDelivery = check({
  id: "credit.test-delivery",
  title:
    "a test delivery consumes no credit, with or without coordinates or scheduled_for, and refunds none, also if it is cancelled again",
  clauses: [clause["TESTD-6"]],
  needs: ["credit"],
  async run(context) {
    await expectNoCredit(
      context,
      async () => {
        await createDelivery(context, { test: true });
        await createUnlocatedDelivery(context, { test: true });
        await createDelivery(context, { test: true, scheduled_for: isoInstant(context.now() + DAY_MS) });
      },
      "3 test deliveries",
    );
    // A single fall proves nothing, because credit of an earlier cancelled order may be refunded late (OPEN-16).
    let falls = 0;
    for (let tests = 0; tests < TEST_DELIVERIES; tests += 1) {
      const before = await context.creditConsumed();
      const { id } = await createDelivery(context, { test: true });
      // Refused, unless the server cancels test deliveries in the background.
      await context.api.cancelDelivery(id);
      if ((await context.creditConsumed()) < before) falls += 1;
    }
    expectThat(
      `how many of ${TEST_DELIVERIES} test deliveries lowered the count of consumed credit`,
      falls,
    ).isLessThan(TEST_DELIVERIES);
  },
});

export const creditChecks: readonly Check[] = [
  cancelled,
  cancelledWithCourier,
  cancelledAfterAnOffer,
  repeatedCancellation,
  refusedCancellation,
  quoted,
  quotedFarAway,
  quotedWhileSuspended,
  testDelivery,
];
