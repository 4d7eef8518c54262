import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { paymentCodes } from "../../session/stores/payment-type.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  COURIER,
  expectCourier,
  finishReturn,
  freshCourier,
  startReturn,
} from "../../support/courier/courier.ts";
import {
  cancelDelivery,
  cancelOrSkip,
  changeDelivery,
  createDelivery,
  expectSameFields,
  expectTimePassed,
  expectTimeSet,
  integratorFields,
  ROUNDING_MS,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { expectNoEarlier, expectSameInstant, instantIn } from "../../support/shown-values.ts";

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
  async run(context) {
    const { advanceClock, api, each, performCourierAction, now } = context;
    const created = await createDelivery(context);
    const { id } = created;
    await context.performCourierActionsUpTo(id, "assigned");
    let latest = await readDelivery(api, id);
    expectTimeSet(latest.assigned_at, created, "assigned_at", now());
    context.attributeTo(clause["DLV-69"]);
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
    context.attributeTo(clause["DLV-80"]);
    expectTimeSet(latest.picked_up_at, created, "picked_up_at", now());
    await expectTimePassed(context, created, ACTIONS_AFTER_ASSIGNMENT.length * MINUTE_S);
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

const timesOfCancellations = check({
  id: "courier.times-of-cancellations",
  title: "cancelled_at is the time of the cancellation, with and without a courier",
  clauses: [clause["DLV-80"]],
  needs: ["courier", "clock"],
  virtualSeconds: BEFORE_THE_END_S,
  async run(context) {
    const deliveries = {
      cancelled: await createDelivery(context),
      "cancelled after an assignment": await createDelivery(context),
    };
    const assigned = deliveries["cancelled after an assignment"];
    await context.performCourierActionsUpTo(assigned.id, "assigned");
    expectCourier(await readDelivery(context.api, assigned.id));
    await context.advanceClock(BEFORE_THE_END_S);
    await expectTimePassed(context, assigned, BEFORE_THE_END_S);
    await context.each(casesFrom("ends", deliveries), async ([, { created_at, id }]) => {
      const { cancelled_at } = await cancelDelivery(context.api, id);
      const earliest = instantIn(created_at, "created_at") + MINUTE_S * 1000;
      expectNoEarlier(cancelled_at, earliest, "cancelled_at, three minutes after the creation");
    });
  },
});

const timeOfTheReturn = check({
  id: "courier.time-of-the-return",
  title: "returned_at is the time of the return, after which the delivery has the fields of its order",
  clauses: [clause["DLV-88"], clause["DLV-90"]],
  needs: ["courier", "clock"],
  virtualSeconds: BEFORE_THE_END_S,
  async run(context) {
    const returning = await createDelivery(context);
    await startReturn(context, returning.id);
    await context.advanceClock(BEFORE_THE_END_S);
    await expectTimePassed(context, returning, BEFORE_THE_END_S);
    await finishReturn(context, returning.id);
    const returned = await readDelivery(context.api, returning.id);
    const { picked_up_at, returned_at } = returned;
    const earliest = instantIn(picked_up_at, "picked_up_at") + MINUTE_S * 1000;
    context.attributeTo(clause["DLV-88"]);
    expectNoEarlier(returned_at, earliest, "returned_at, three minutes after the pick-up");
    context.attributeTo(clause["DLV-90"]);
    expectSameFields(integratorFields(returned), integratorFields(returning), "the returned delivery");
  },
});

const ACTIONS_UP_TO_THE_PICK_UP = ["offered", "assigned", "at_pickup", "picked_up"] as const;
const ACTIONS = [...ACTIONS_UP_TO_THE_PICK_UP, "en_route", "arrived", "delivered"] as const;

const textsOf = ({ notes, customer }: Schemas["Delivery"]) => ({
  notes,
  customer: { name: customer?.name, phone_extension: customer?.phone_extension },
});

const changesStay = check({
  id: "courier.changes-stay",
  title: "the changes before each step of the courier are still there after each later step",
  clauses: [clause["PATCH-27"]],
  needs: ["courier"],
  async run({ api, each, order, performCourierAction }) {
    const { id } = await createDelivery({ api, order });
    const isChangeable: ReadonlySet<string> = new Set(ACTIONS_UP_TO_THE_PICK_UP);
    let before: ReturnType<typeof textsOf> | undefined;
    await each(cases("courier actions", ACTIONS), async (action) => {
      const place = String(ACTIONS.indexOf(action) + 1);
      const change = { notes: `Kat ${place}`, customer: { name: `Ad ${place}`, phone_extension: place } };
      if (isChangeable.has(action)) before = textsOf(await changeDelivery(api, id, change));
      // A service may assign without an offer (OPEN-202).
      if (!(await performCourierAction(id, action)) && action !== "offered")
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      const shown = await readDelivery(api, id);
      const expected = before;
      before = textsOf(shown);
      expectFields(shown, expected, `the delivery after the courier action ${action}`);
    });
  },
});

const paymentTypeStays = check({
  id: "courier.payment-type-stays",
  title: "payment.type keeps the code sent with the order if the courier collected another type of payment",
  clauses: [clause["DLV-70"]],
  needs: ["courier"],
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

const assignmentStays = check({
  id: "courier.assignment-stays",
  title: "a delivery keeps its courier when another delivery of this courier is cancelled",
  clauses: [clause["DLV-100"]],
  needs: ["courier"],
  async run(context) {
    const { api } = context;
    const [kept, cancelled] = [await createDelivery(context), await createDelivery(context)];
    const courier = freshCourier(COURIER);
    // A service whose couriers take one delivery at a time refuses the second assignment.
    for (const { id } of [kept, cancelled])
      await context.performCourierActionsUpTo(id, "assigned", { courier });
    expectCourier(await readDelivery(api, kept.id));
    await cancelOrSkip(api, cancelled.id, "of an assigned delivery was refused");
    expectThat(
      { field: "courier", where: "after the cancellation of the courier's other delivery" },
      (await readDelivery(api, kept.id)).courier ?? null,
    ).isNot(null);
  },
});

export const courierUnchangedChecks: readonly Check[] = [
  timesStay,
  timesOfCancellations,
  timeOfTheReturn,
  changesStay,
  paymentTypeStays,
  assignmentStays,
];
