import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import { paymentCodes } from "../../session/stores/payment-type.ts";
import { expectEveryField } from "../../support/assertions.ts";
import { FAILURE_REASON, failDelivery, returnToStore } from "../../support/courier/courier.ts";
import { expectListedAsRead } from "../../support/lists/listed-as-read.ts";
import {
  cancelDelivery,
  createDelivery,
  expectOrderKept,
  expectTimeSet,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";
import { courierAssignmentChecks } from "./courier-assignment.ts";
import { courierChangesChecks } from "./courier-changes.ts";
import { courierEndsChecks } from "./courier-ends.ts";
import { courierUnchangedChecks } from "./courier-unchanged.ts";

type CourierContext = ContextFor<"courier">;

const courierKeys = check({
  id: "courier.keys",
  title: "a delivery's courier has every field of the specification's table",
  clauses: [clause["DLV-11"]],
  needs: ["courier"],
  async run(context) {
    context.recordCoverage("keys-of-a-courier", elementsOf("keys-of-a-courier"));
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "assigned");
    const { courier } = await readDelivery(context.api, id);
    expectEveryField(courier ?? {}, "Courier", "the courier");
  },
});

const versions = check({
  id: "courier.versions",
  title: "each courier action up to the delivery raises the version",
  clauses: [clause["DLV-9"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    // A service that assigns without an offer may refuse this action (OPEN-202).
    await context.performCourierAction(id, "offered");
    let { version } = await readDelivery(context.api, id);
    await context.each(ofSet("courier-actions-until-delivery"), async (action) => {
      const accepted = await context.performCourierAction(id, action);
      if (!accepted) throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      const previous = version;
      ({ version } = await readDelivery(context.api, id));
      expectThat({ field: "version", where: `after the courier action ${action}` }, version).isMoreThan(
        previous,
      );
    });
  },
});

const untilDelivery = check({
  id: "courier.actions-until-delivery",
  title: "pick-up and delivery set their times and raise the version",
  clauses: [clause["DLV-9"], clause["DLV-49"], clause["DLV-50"], clause["DLV-82"]],
  needs: ["courier"],
  async run(context) {
    const [pickUpClause, deliveryClause] = [clause["DLV-49"], clause["DLV-50"]];
    const created = await createDelivery(context);
    const { id } = created;
    await context.performCourierActionsUpTo(id, "at_pickup");
    const waiting = await readDelivery(context.api, id);
    context.attributeTo(pickUpClause);
    expectThat({ field: "picked_up_at", where: "before the pick-up" }, waiting.picked_up_at ?? null).is(null);
    await context.performCourierAction(id, "picked_up");
    const picked = await readDelivery(context.api, id);
    expectTimeSet(picked.picked_up_at, created, "picked_up_at", context.now());
    for (const action of ["en_route", "arrived"] as const) await context.performCourierAction(id, action);
    const atTheDoor = await readDelivery(context.api, id);
    context.attributeTo(deliveryClause);
    expectThat({ field: "delivered_at", where: "before the delivery" }, atTheDoor.delivered_at ?? null).is(
      null,
    );
    await context.performCourierAction(id, "delivered");
    const delivered = await readDelivery(context.api, id);
    expectTimeSet(delivered.delivered_at, created, "delivered_at", context.now());
    context.attributeTo(pickUpClause);
    expectTimeSet(delivered.picked_up_at, created, "picked_up_at after the delivery", context.now());
    context.attributeTo(deliveryClause);
    expectTimeSet(delivered.assigned_at, created, "assigned_at after the delivery", context.now());
    context.attributeTo(clause["DLV-82"]);
    for (const field of ["cancelled_at", "returned_at", "cancel_reason", "failure_reason"] as const)
      expectThat({ field, where: "after the delivery" }, delivered[field] || null).is(null);
    context.attributeTo(clause["DLV-9"]);
    expectThat({ field: "version", where: "after the assignment" }, waiting.version).isMoreThan(
      created.version,
    );
    expectThat({ field: "version", where: "after the pick-up" }, picked.version).isMoreThan(waiting.version);
    expectThat({ field: "version", where: "after the delivery" }, delivered.version).isMoreThan(
      atTheDoor.version,
    );
  },
});

const collected = check({
  id: "courier.collected-type",
  title:
    "payment.collected_type is the collected payment code after delivery, in the list too, and null before, and the other fields of the order stay",
  clauses: [clause["DLV-22"], clause["DLV-68"], clause["LIST-28"], clause["DLV-95"]],
  needs: ["courier"],
  async run(context) {
    const type = await context.paymentType();
    const codes = paymentCodes((await context.api.call("listPaymentTypes")).expectSuccess().json);
    context.attributeTo(clause["DLV-68"]);
    await context.each(cases("stages", ["assigned", "picked_up"] as const), async (stage) => {
      const delivery = await createDelivery(context);
      await context.performCourierActionsUpTo(delivery.id, stage);
      const { payment } = await readDelivery(context.api, delivery.id);
      expectThat(
        { field: "payment.collected_type", where: `at ${stage}` },
        payment.collected_type ?? null,
      ).is(null);
    });
    // The target may list only one code.
    const collectedCodes = {
      "the ordered code": String(type),
      "another code": String(codes.find((code) => code !== type) ?? type),
    };
    await context.each(casesFrom("collected codes", collectedCodes), async ([, collected_type]) => {
      const ordered = await createDelivery(context, { notes: "Ön kapı" });
      const { id } = ordered;
      await context.performCourierActionsUpTo(id, "arrived");
      if (!(await context.performCourierAction(id, "delivered", { collected_type })))
        throw new CheckSkipped("the control interface refused the courier action delivered");
      const delivered = await readDelivery(context.api, id);
      context.attributeTo(clause["DLV-95"]);
      expectOrderKept(delivered, ordered, "delivered");
      context.attributeTo(clause["DLV-22"]);
      const shown = delivered.payment.collected_type ?? null;
      expectThat(
        { field: "payment.collected_type", where: "returned by GET after the delivery" },
        shown === null ? null : String(shown),
      ).is(collected_type);
      context.attributeTo(clause["LIST-28"]);
      await expectListedAsRead(context.api, delivered, "after the delivery");
    });
  },
});

const prepaid = check({
  id: "courier.prepaid-collects-nothing",
  title: "payment.collected_type of a prepaid order is null, also after delivery",
  clauses: [clause["DLV-62"]],
  needs: ["courier"],
  async run(context) {
    const { id, payment } = await createPrepaidDelivery(context);
    expectThat(
      { field: "payment.collected_type", where: "after creation" },
      payment.collected_type ?? null,
    ).is(null);
    await context.performCourierActionsUpTo(id, "delivered");
    const delivered = await readDelivery(context.api, id);
    expectThat("delivered_at", delivered.delivered_at ?? null).isNot(null);
    expectThat(
      { field: "payment.collected_type", where: "after delivery" },
      delivered.payment.collected_type ?? null,
    ).is(null);
  },
});

async function statusAfter(context: CourierContext, act: (id: string) => Promise<unknown>): Promise<string> {
  const { id } = await createDelivery(context);
  await act(id);
  return (await readDelivery(context.api, id)).status;
}

const deliveredStatus = (context: CourierContext) =>
  statusAfter(context, (id) => context.performCourierActionsUpTo(id, "delivered"));
const cancelledStatus = (context: CourierContext) =>
  statusAfter(context, (id) => cancelDelivery(context.api, id));
const failedStatus = (context: CourierContext) =>
  statusAfter(context, (id) => failDelivery(context, id, FAILURE_REASON));
const returnedStatus = (context: CourierContext) => statusAfter(context, (id) => returnToStore(context, id));

const statusStrings = check({
  id: "courier.status-strings",
  title: "two delivered deliveries have the same status, and a cancelled one has another",
  clauses: [clause["STATE-40"], clause["STATE-41"]],
  needs: ["courier"],
  async run(context) {
    const delivered = await deliveredStatus(context);
    context.attributeTo(clause["STATE-40"]);
    expectThat("the status of a second delivered delivery", await deliveredStatus(context)).is(delivered);
    context.attributeTo(clause["STATE-41"]);
    expectThat("the status of a cancelled delivery", await cancelledStatus(context)).isNot(delivered);
  },
});

const failedString = check({
  id: "courier.failed-string",
  title: "the status of a failed delivery differs from those of delivered and cancelled ones",
  clauses: [clause["STATE-43"]],
  needs: ["courier"],
  async run(context) {
    const failed = await failedStatus(context);
    expectThat("the statuses of a delivered and a cancelled delivery", [
      await deliveredStatus(context),
      await cancelledStatus(context),
    ]).doesNotInclude(failed);
  },
});

const returnedString = check({
  id: "courier.returned-string",
  title: "the status of a returned delivery differs from those of delivered and cancelled ones",
  clauses: [clause["STATE-44"]],
  needs: ["courier"],
  async run(context) {
    const status = await returnedStatus(context);
    expectThat("the statuses of a delivered and a cancelled delivery", [
      await deliveredStatus(context),
      await cancelledStatus(context),
    ]).doesNotInclude(status);
  },
});

const unsuccessfulStrings = check({
  id: "courier.unsuccessful-strings",
  title: "failed and returned deliveries have different statuses",
  clauses: [clause["STATE-45"]],
  needs: ["courier"],
  async run(context) {
    const failed = await failedStatus(context);
    expectThat("the status of a returned delivery", await returnedStatus(context)).isNot(failed);
  },
});

export const courierChecks: readonly Check[] = [
  ...courierAssignmentChecks,
  courierKeys,
  versions,
  untilDelivery,
  collected,
  ...courierUnchangedChecks,
  prepaid,
  ...courierEndsChecks,
  ...courierChangesChecks,
  statusStrings,
  failedString,
  returnedString,
  unsuccessfulStrings,
];
