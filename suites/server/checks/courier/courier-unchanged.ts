import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { paymentCodes } from "../../session/stores/stores.ts";
import { finishReturn, startReturn } from "../../support/courier/courier.ts";
import {
  cancelDelivery,
  createDelivery,
  expectTimePassed,
  expectTimeSet,
  ROUNDING_MS,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { expectNoEarlier, expectSameInstant, instantIn } from "../../support/shown-values.ts";
import { type Check, check } from "../define.ts";

const MINUTE_S = 60;

/** Each of these actions follows a minute after the previous one, so that a changed time is visible. */
const ACTIONS_AFTER_ASSIGNMENT = ["at_pickup", "picked_up", "en_route", "arrived", "delivered"] as const;

const timesStay = check({
  id: "courier.times-stay",
  title:
    "assigned_at, picked_up_at and delivered_at are the times of their courier actions, and don't change with later ones",
  clauses: [clause["DLV-69"], clause["DLV-80"]],
  needs: ["courier", "clock"],
  virtualSeconds: ACTIONS_AFTER_ASSIGNMENT.length * MINUTE_S,
  mutants: [
    "assigned-at-changes-at-pickup",
    "picked-up-at-changes-en-route",
    "picked-up-at-is-the-assignment",
    "delivered-at-is-the-pick-up",
  ],
  async run(context) {
    const { advanceClock, api, each, performCourierAction, now } = context;
    const created = await createDelivery(context);
    const { id } = created;
    await context.performCourierActionsUpTo(id, "assigned");
    let latest = await readDelivery(api, id);
    expectTimeSet(latest.assigned_at, created, "assigned_at", now());
    await each(cases("courier actions", ACTIONS_AFTER_ASSIGNMENT), async (action) => {
      await advanceClock(MINUTE_S);
      if (!(await performCourierAction(id, action)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      const previous = latest;
      latest = await readDelivery(api, id);
      const set = (["assigned_at", "picked_up_at"] as const).filter(
        (time) => (previous[time] ?? null) !== null,
      );
      for (const time of set)
        expectSameInstant(latest[time], previous[time], `${time} after ${action}`, {
          toleranceMs: ROUNDING_MS,
        });
    });
    expectTimeSet(latest.picked_up_at, created, "picked_up_at", now());
    await expectTimePassed(context, created, ACTIONS_AFTER_ASSIGNMENT.length * MINUTE_S);
    context.attributeTo(clause["DLV-80"]);
    // Two and three minutes passed, and the clocks may be off by some seconds.
    const [assignedAt, pickedUpAt] = [
      instantIn(latest.assigned_at, "assigned_at"),
      instantIn(latest.picked_up_at, "picked_up_at"),
    ];
    expectNoEarlier(
      latest.picked_up_at,
      assignedAt + MINUTE_S * 1000,
      "picked_up_at, two minutes after the assignment",
    );
    expectNoEarlier(
      latest.delivered_at,
      pickedUpAt + MINUTE_S * 1000,
      "delivered_at, three minutes after the pick-up",
    );
  },
});

/** Longer than a difference between clocks. */
const BEFORE_THE_END_S = 3 * MINUTE_S;

const timesOfOtherEnds = check({
  id: "courier.times-of-other-ends",
  title: "returned_at and cancelled_at are the times of the return and of the cancellation",
  clauses: [clause["DLV-80"]],
  needs: ["courier", "clock"],
  virtualSeconds: BEFORE_THE_END_S,
  mutants: ["returned-at-is-the-pick-up", "cancelled-at-is-the-creation", "cancelled-at-is-the-assignment"],
  async run(context) {
    const { api } = context;
    const deliveries = {
      cancelled: await createDelivery(context),
      "cancelled after an assignment": await createDelivery(context),
    };
    await context.performCourierActionsUpTo(deliveries["cancelled after an assignment"].id, "assigned");
    const returning = await createDelivery(context);
    await startReturn(context, returning.id);
    await context.advanceClock(BEFORE_THE_END_S);
    await expectTimePassed(context, returning, BEFORE_THE_END_S);
    await context.each(casesFrom("ends", deliveries), async ([, { created_at, id }]) => {
      const { cancelled_at } = await cancelDelivery(api, id);
      const earliest = instantIn(created_at, "created_at") + MINUTE_S * 1000;
      expectNoEarlier(cancelled_at, earliest, "cancelled_at, three minutes after the creation");
    });
    await finishReturn(context, returning.id);
    const { picked_up_at, returned_at } = await readDelivery(api, returning.id);
    const earliest = instantIn(picked_up_at, "picked_up_at") + MINUTE_S * 1000;
    expectNoEarlier(returned_at, earliest, "returned_at, three minutes after the pick-up");
  },
});

const paymentTypeStays = check({
  id: "courier.payment-type-stays",
  title: "payment.type keeps the code sent with the order if the courier collected another type of payment",
  clauses: [clause["DLV-70"]],
  needs: ["courier"],
  mutants: ["collected-type-replaces-the-orders-type"],
  async run(context) {
    const type = await context.paymentType();
    const listed = paymentCodes((await context.api.call("listPaymentTypes")).expectSuccess().json);
    const collectedType = listed.find((code) => code !== type);
    if (collectedType === undefined) throw new CheckSkipped("the target lists no second payment code");
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "arrived");
    if (!(await context.performCourierAction(id, "delivered", { collected_type: String(collectedType) })))
      throw new CheckSkipped("the control interface refused the courier action `delivered`");
    const { payment } = await readDelivery(context.api, id);
    expectThat(
      { field: "payment.type", where: `of a delivery whose courier collected ${collectedType}` },
      String(payment.type),
    ).is(String(type));
  },
});

export const courierUnchangedChecks: readonly Check[] = [timesStay, timesOfOtherEnds, paymentTypeStays];
