import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { expectFields } from "../../support/assertions.ts";
import { expectCourier, FAILURE_REASON, failDelivery, returnToStore } from "../../support/courier/courier.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  expectDeliveryUnchanged,
  expectTimeSet,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";

const HALF_AN_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;

const NEW_PHONE = "+905339998877";
const NEW_ADDRESS = "Başka Sokak 3, Fatih, İstanbul";

/** Changes each field that may change before the hand-over, except the schedule. */
async function expectChangeable({ api, now, point }: ContextFor<"courier">, id: string): Promise<void> {
  const others = { notes: "Zile basmayın", ready_at: isoInstant(now() + HALF_AN_HOUR_MS) };
  const customer = { name: "Zeynep Kaya", phone_extension: "12" };
  const place = near(point, 2);
  const after = await changeDelivery(api, id, {
    ...others,
    customer: { ...customer, phone: NEW_PHONE },
    dropoff: { text: NEW_ADDRESS, ...place },
  });
  expectFields(after, { ...others, customer, dropoff: place }, "the delivery");
  expectThat("dropoff.text", after.dropoff.text).startsWith(NEW_ADDRESS);
  const phone = after.customer?.phone?.replaceAll(/[^+\d]/g, "");
  expectThat("customer.phone", phone).is(NEW_PHONE);
}

const failedIsFinal = check({
  id: "courier.failed-cancellation",
  title: "cancelling a failed delivery returns 409 SON_DURUM, and changing it 409",
  clauses: [clause["STATE-30"], clause["STATE-51"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await failDelivery(context, id, FAILURE_REASON);
    const refused = await context.api.sendInvalid("cancelDelivery", "cancelling a failed delivery", {
      path: { id },
      body: { reason: "a request after the final status" },
    });
    context.attributeTo(clause["STATE-30"]);
    refused.expectError(409, "SON_DURUM");
    context.attributeTo(clause["STATE-51"]);
    const change = { path: { id }, body: { notes: "Çok geç" } };
    (await context.api.sendInvalid("updateDelivery", "the delivery has failed", change)).expectError(409);
  },
});

/** Every cancellation of this file has a reason. */
const AFTER_A_REASON = "after a cancellation with a reason";

const whileOffered = check({
  id: "courier.while-offered",
  title: "a delivery can be changed and cancelled while it is offered to a courier",
  clauses: [clause["STATE-48"]],
  needs: ["courier"],
  async run(context) {
    // An offer may have no visible effect (OPEN-82), so an assignment of the control delivery shows that
    // courier actions work.
    const control = await createDelivery(context);
    await context.performCourierActionsUpTo(control.id, "assigned");
    expectCourier(await readDelivery(context.api, control.id));
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "offered");
    await expectChangeable(context, id);
    const cancelled = await cancelDelivery(context.api, id, "Restoran kapandı");
    expectTimeSet(cancelled.cancelled_at, cancelled, "cancelled_at", context.now());
    expectThat({ field: "cancel_reason", where: AFTER_A_REASON }, cancelled.cancel_reason).isText();
  },
});

const beforeTheHandOver = check({
  id: "courier.before-the-hand-over",
  title: "an assigned delivery can be changed and cancelled until the courier reaches the restaurant",
  clauses: [clause["PATCH-22"], clause["STATE-20"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "assigned");
    expectCourier(await readDelivery(context.api, id));
    context.attributeTo(clause["PATCH-22"]);
    await expectChangeable(context, id);
    context.attributeTo(clause["STATE-20"]);
    const cancelled = await cancelDelivery(context.api, id, "Restoran kapandı");
    expectTimeSet(cancelled.cancelled_at, cancelled, "cancelled_at", context.now());
    expectThat({ field: "cancel_reason", where: AFTER_A_REASON }, cancelled.cancel_reason).isText();
  },
});

const atTheRestaurant = check({
  id: "courier.at-the-restaurant",
  title: "a delivery can be changed and cancelled while the courier is at the restaurant without the package",
  clauses: [clause["STATE-42"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "at_pickup");
    expectCourier(await readDelivery(context.api, id));
    await expectChangeable(context, id);
    const cancelled = await cancelDelivery(context.api, id, "Restoran kapandı");
    expectTimeSet(cancelled.cancelled_at, cancelled, "cancelled_at", context.now());
    expectThat({ field: "cancel_reason", where: AFTER_A_REASON }, cancelled.cancel_reason).isText();
  },
});

const changesNear = (point: Point) => ({
  notes: { notes: "Arka kapıya gelin" },
  "customer.name": { customer: { name: "Zeynep Kaya" } },
  dropoff: { dropoff: { text: NEW_ADDRESS, ...near(point, 2) } },
});

interface RefusedChange {
  readonly body: Schemas["DeliveryChange"];
  readonly codes: readonly string[];
}

/** Changes of the other fields. A changed schedule may also be refused because of a quote. */
const otherChanges = (now: number): Readonly<Record<string, RefusedChange>> => ({
  ready_at: { body: { ready_at: isoInstant(now + HALF_AN_HOUR_MS) }, codes: ["KURYE_ALDI"] },
  scheduled_for: {
    body: { scheduled_for: isoInstant(now + DAY_MS) },
    codes: ["KURYE_ALDI", "PLAN_DEGISEMEZ"],
  },
  phone: { body: { customer: { phone: "05321112299" } }, codes: ["KURYE_ALDI"] },
  phone_extension: { body: { customer: { phone_extension: "4711" } }, codes: ["KURYE_ALDI"] },
});

const withThePackage = check({
  id: "courier.with-the-package",
  title: "while the courier has the package, changes and cancellations get 409 KURYE_ALDI and have no effect",
  clauses: [clause["STATE-23"], clause["STATE-24"], clause["STATE-26"], clause["ERR-20"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "assigned");
    // Positive control: before the pick-up, the same change is accepted.
    await changeDelivery(context.api, id, { notes: "Kapıda bekleyin" });
    await context.performCourierAction(id, "at_pickup");
    const path = { id };
    for (const action of ["picked_up", "en_route", "arrived"] as const) {
      await context.performCourierAction(id, action);
      const before = await readDelivery(context.api, id);
      context.attributeTo(clause["STATE-23"], clause["ERR-20"]);
      for (const [field, body] of Object.entries(changesNear(context.point))) {
        const rule = `a change of ${field} after the courier action ${action}`;
        const refused = await context.api.sendInvalid("updateDelivery", rule, { path, body });
        refused.expectError(409, "KURYE_ALDI");
      }
      // A rule that applies to some fields only doesn't depend on where the courier is.
      const others = action === "en_route" ? otherChanges(context.now()) : {};
      await context.each(casesFrom("fields of a change", others), async ([field, { body, codes }]) => {
        const rule = `a change of ${field} while the courier has the package`;
        const refused = await context.api.sendInvalid("updateDelivery", rule, { path, body });
        refused.expectError(409, ...codes);
      });
      context.attributeTo(clause["STATE-24"], clause["ERR-20"]);
      const cancel = { path, body: { reason: "Müşteri vazgeçti" } };
      const rule = `a cancellation after the courier action ${action}`;
      (await context.api.sendInvalid("cancelDelivery", rule, cancel)).expectError(409, "KURYE_ALDI");
      context.attributeTo(clause["STATE-26"]);
      await expectDeliveryUnchanged(context.api, before, "the refused requests");
      expectThat("status", (await readDelivery(context.api, id)).status).is(before.status);
    }
  },
});

/**
 * Creates a delivery whose package is on its way back to the restaurant.
 * @throws CheckSkipped if the control interface doesn't allow it
 */
async function createReturningDelivery(context: ContextFor<"courier">): Promise<string> {
  const { id } = await createDelivery(context);
  await context.performCourierActionsUpTo(id, "arrived");
  if (!(await context.performCourierAction(id, "returning")))
    throw new CheckSkipped(
      "the control interface refused the courier action `returning` at the customer's door",
    );
  return id;
}

const changesDuringReturn = check({
  id: "courier.changes-during-a-return",
  title: "a PATCH gets 409 KURYE_ALDI while the package is being returned",
  clauses: [clause["STATE-46"]],
  needs: ["courier"],
  async run(context) {
    const path = { id: await createReturningDelivery(context) };
    for (const [field, body] of Object.entries(changesNear(context.point))) {
      const rule = `a change of ${field} while the package is being returned`;
      const refused = await context.api.sendInvalid("updateDelivery", rule, { path, body });
      refused.expectError(409, "KURYE_ALDI");
    }
  },
});

const cancellationDuringReturn = check({
  id: "courier.returning",
  title: "a cancellation gets 409 KURYE_ALDI while the package is being returned",
  clauses: [clause["STATE-25"]],
  needs: ["courier"],
  async run(context) {
    const path = { id: await createReturningDelivery(context) };
    const cancel = { path, body: { reason: "Müşteri vazgeçti" } };
    (await context.api.sendInvalid("cancelDelivery", "the package is being returned", cancel)).expectError(
      409,
      "KURYE_ALDI",
    );
  },
});

const deliveredIsFinal = check({
  id: "courier.delivered-is-final",
  title: "a completed delivery can't be cancelled or changed, and keeps its status",
  clauses: [clause["STATE-28"], clause["STATE-33"], clause["STATE-37"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await context.performCourierActionsUpTo(id, "delivered");
    const { status } = await readDelivery(context.api, id);
    context.attributeTo(clause["STATE-28"]);
    const cancel = { path: { id }, body: { reason: "a request after the final status" } };
    (await context.api.sendInvalid("cancelDelivery", "the order is delivered", cancel)).expectError(
      409,
      "SON_DURUM",
    );
    context.attributeTo(clause["STATE-33"]);
    const change = { path: { id }, body: { notes: "a request after the final status" } };
    (await context.api.sendInvalid("updateDelivery", "the order is delivered", change)).expectError(
      409,
      "SON_DURUM",
      "KURYE_ALDI",
    );
    context.attributeTo(clause["STATE-37"]);
    expectThat(
      { field: "status", where: "after the refused requests" },
      (await readDelivery(context.api, id)).status,
    ).is(status);
  },
});

interface Ending extends Pick<Check, "id" | "title"> {
  /** The clause that nothing was collected. */
  readonly collected: ClauseId;
  /** The clause that other ends have no time and no reason. */
  readonly otherEnds: ClauseId;
}

/** A delivery that ends without a hand-over has no collected_type, and is neither delivered nor cancelled. */
const nothingCollected = (
  { id, title, collected, otherEnds }: Ending,
  end: (context: ContextFor<"courier">, id: string, reason: string) => Promise<void>,
): Check =>
  check({
    id,
    title,
    clauses: [collected, otherEnds],
    needs: ["courier"],
    async run(context) {
      const delivery = await createDelivery(context);
      await end(context, delivery.id, "Adreste kimse yok");
      const { payment, ...ended } = await readDelivery(context.api, delivery.id);
      context.attributeTo(collected);
      expectThat("payment.collected_type", payment.collected_type ?? null).is(null);
      context.attributeTo(otherEnds);
      for (const field of ["delivered_at", "cancelled_at", "cancel_reason"] as const)
        expectThat(field, ended[field] || null).is(null);
    },
  });

const failedCollectsNothing = nothingCollected(
  {
    id: "courier.failed-collects-nothing",
    title: "a delivery that failed has no collected_type, and isn't delivered or cancelled",
    collected: clause["DLV-76"],
    otherEnds: clause["DLV-83"],
  },
  failDelivery,
);

const returnedCollectsNothing = nothingCollected(
  {
    id: "courier.returned-collects-nothing",
    title: "a delivery that was returned has no collected_type, and isn't delivered or cancelled",
    collected: clause["DLV-77"],
    otherEnds: clause["DLV-84"],
  },
  returnToStore,
);

export const courierChangesChecks: readonly Check[] = [
  failedIsFinal,
  whileOffered,
  beforeTheHandOver,
  atTheRestaurant,
  withThePackage,
  changesDuringReturn,
  cancellationDuringReturn,
  deliveredIsFinal,
  failedCollectsNothing,
  returnedCollectsNothing,
];
