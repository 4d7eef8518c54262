import { expect } from "vitest";
import { NotTestable } from "../../../core/failure.ts";
import type { Capabilities } from "../../capabilities.ts";
import type { Point } from "../../session/settings.ts";
import { paymentCodes } from "../../session/stores.ts";
import { cancelled, changed, expectSet, expectUntouched, opened, read } from "../../support/deliveries.ts";
import { near } from "../../support/orders.ts";
import { type Check, check } from "../define.ts";

type Courier = Capabilities["courier"];

/** Who rides: a name of two parts, so that first name and surname can be told apart. */
export const RIDER = { name: "Mehmet Karadağ", phone: "05339876543", plate: "34 ABC 123" };

/**
 * Takes the package back to the restaurant. Whether a failed attempt has to be told before is open (OPEN-91).
 * @throws NotTestable where the control interface allows neither way
 */
export async function bringBack({ move, bring }: Courier, id: string, reason?: string): Promise<void> {
  await bring(id, "arrived");
  const told = reason === undefined ? {} : { reason };
  const turned = (await move(id, "returning", told)) || (await failedThenReturning(move, id, told));
  if (!turned || !(await move(id, "returned", told))) {
    throw new NotTestable("the control interface refused returning and returned from the door (409)");
  }
}

const failedThenReturning = async (move: Courier["move"], id: string, told: { reason?: string }) =>
  (await move(id, "failed", told)) && (await move(id, "returning", told));

/** @throws NotTestable where the control interface doesn't allow it at the door */
async function fail({ move, bring }: Courier, id: string, reason: string): Promise<void> {
  await bring(id, "arrived");
  if (await move(id, "failed", { reason })) return;
  throw new NotTestable("the control interface refused the courier's move failed at the door (409)");
}

const assignment = check({
  id: "courier.assignment",
  title: "an assigned delivery is ASSIGNED, with the time and the courier",
  clauses: ["STATE-11", "STATE-12", "STATE-13"],
  needs: ["courier"],
  mutants: ["assignment-leaves-the-status", "assignment-has-no-time", "assignment-has-no-courier"],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "offered");
    if (!(await context.move(id, "assigned", { courier: RIDER })))
      throw new NotTestable("assigned was refused (409)");
    const assigned = await read(context.api, id);
    expect(assigned.status, "status").toBe("ASSIGNED");
    expectSet(assigned.assigned_at, assigned, "assigned_at", context.now());
    expect(assigned.courier?.name, "courier.name").toBe(RIDER.name);
  },
});

const courierKeys = check({
  id: "courier.keys",
  title: "the courier has all the keys of the table",
  clauses: ["DLV-11"],
  needs: ["courier"],
  mutants: ["courier-without-masked-phone"],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "assigned");
    const { courier } = await read(context.api, id);
    const keys = ["name", "phone", "phone_masked", "plate", "lat", "lng", "location_at", "heading"];
    expect(Object.keys(courier ?? {}), "the courier's keys").toEqual(expect.arrayContaining(keys));
  },
});

const wayToTheDoor = check({
  id: "courier.way-to-the-door",
  title: "pick-up and delivery set their times, and each raises the version",
  clauses: ["DLV-9", "DLV-49", "DLV-50"],
  needs: ["courier"],
  mutants: [
    "courier-moves-keep-the-version",
    "pick-up-has-no-time",
    "pick-up-time-is-lost-at-the-door",
    "delivery-has-no-time",
    "delivery-is-to-come",
  ],
  async run(context) {
    const before = await opened(context);
    const { id } = before;
    await context.bring(id, "at_pickup");
    const waiting = await read(context.api, id);
    expect(waiting.picked_up_at ?? null, "picked_up_at before the pick-up").toBeNull();
    await context.move(id, "picked_up");
    const picked = await read(context.api, id);
    expectSet(picked.picked_up_at, before, "picked_up_at", context.now());
    for (const action of ["en_route", "arrived"] as const) await context.move(id, action);
    const atTheDoor = await read(context.api, id);
    expect(atTheDoor.delivered_at ?? null, "delivered_at before the delivery").toBeNull();
    await context.move(id, "delivered");
    const delivered = await read(context.api, id);
    expectSet(delivered.delivered_at, before, "delivered_at", context.now());
    expectSet(delivered.picked_up_at, before, "picked_up_at after the delivery", context.now());
    expectSet(delivered.assigned_at, before, "assigned_at after the delivery", context.now());
    expect(waiting.version, "version once a courier is on it").toBeGreaterThan(before.version);
    expect(picked.version, "version with the pick-up").toBeGreaterThan(waiting.version);
    expect(delivered.version, "version with the delivery").toBeGreaterThan(atTheDoor.version);
  },
});

const collected = check({
  id: "courier.collected-type",
  title: "a delivered order shows the payment code of what was collected",
  clauses: ["DLV-22"],
  needs: ["courier"],
  mutants: ["collected-type-stays-null", "collected-type-is-the-orders"],
  async run(context) {
    const type = await context.paymentType();
    const codes = paymentCodes((await context.api.call("listPaymentTypes")).hasStatus(200).json);
    const { id } = await opened(context);
    await context.bring(id, "arrived");
    // Another than was ordered, where there is another.
    const collected_type = String(codes.find((code) => code !== type) ?? type);
    if (!(await context.move(id, "delivered", { collected_type })))
      throw new NotTestable("delivered was refused (409)");
    const { payment } = await read(context.api, id);
    expect(String(payment.collected_type), "payment.collected_type").toBe(collected_type);
  },
});

const returned = check({
  id: "courier.returned",
  title: "a package that is back at the restaurant sets returned_at, and the delivery stays returned",
  clauses: ["DLV-51", "STATE-29", "STATE-38"],
  needs: ["courier"],
  mutants: [
    "return-has-no-time",
    "returned-can-be-cancelled",
    "returned-can-be-changed",
    "returned-changes-its-status",
  ],
  async run(context) {
    const before = await opened(context);
    await bringBack(context, before.id);
    const back = await read(context.api, before.id);
    expectSet(back.returned_at, before, "returned_at", context.now());
    const refused = await context.api.violate("cancelDelivery", "cancelling a returned delivery", {
      path: { id: before.id },
      body: { reason: "too late" },
    });
    refused.refused(409, "SON_DURUM");
    const change = { path: { id: before.id }, body: { notes: "Çok geç" } };
    (await context.api.violate("updateDelivery", "it is returned", change)).refused(409);
    expect((await read(context.api, before.id)).status, "status after the refusals").toBe(back.status);
  },
});

const REASON = "Müşteri kapıyı açmadı";

const failureReason = check({
  id: "courier.failure-reason",
  title: "a delivery that failed with a reason shows one",
  clauses: ["DLV-54"],
  needs: ["courier"],
  mutants: ["failure-without-a-reason"],
  async run(context) {
    const { id } = await opened(context);
    await fail(context, id, REASON);
    // Stored as it is, coded, or with a prefix: that is open (OPEN-58).
    expect((await read(context.api, id)).failure_reason ?? "", "failure_reason").not.toBe("");
  },
});

const returnReason = check({
  id: "courier.return-reason",
  title: "a delivery that was returned with a reason shows one",
  clauses: ["DLV-55"],
  needs: ["courier"],
  mutants: ["return-without-a-reason"],
  async run(context) {
    const { id } = await opened(context);
    await bringBack(context, id, REASON);
    expect((await read(context.api, id)).failure_reason ?? "", "failure_reason").not.toBe("");
  },
});

const failedIsFinal = check({
  id: "courier.failed-cancellation",
  title: "cancelling a failed delivery answers 409 SON_DURUM",
  clauses: ["STATE-30"],
  needs: ["courier"],
  mutants: ["failed-can-be-cancelled"],
  async run(context) {
    const { id } = await opened(context);
    await fail(context, id, REASON);
    const refused = await context.api.violate("cancelDelivery", "cancelling a failed delivery", {
      path: { id },
      body: { reason: "too late" },
    });
    refused.refused(409, "SON_DURUM");
  },
});

const beforeTheHandOver = check({
  id: "courier.before-the-hand-over",
  title: "until the courier reaches the restaurant an assigned delivery can be changed and cancelled",
  clauses: ["PATCH-22", "STATE-20"],
  needs: ["courier"],
  mutants: [
    "assigned-cannot-be-changed",
    "assigned-cannot-be-cancelled",
    "assigned-cancelled-without-reason",
  ],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "assigned");
    expect((await changed(context.api, id, { notes: "Zile basmayın" })).notes, "notes").toBe("Zile basmayın");
    const gone = await cancelled(context.api, id, "Restoran kapandı");
    expectSet(gone.cancelled_at, gone, "cancelled_at", context.now());
    expect(gone.cancel_reason ?? "", "cancel_reason").not.toBe("");
  },
});

/** What an integrator may want to change, each alone. */
const changesNear = (point: Point) => [
  { notes: "Arka kapıya gelin" },
  { customer: { name: "Zeynep Kaya" } },
  { dropoff: { text: "Başka Sokak 3, Fatih, İstanbul", ...near(point, 2) } },
];

const withTheCourier = check({
  id: "courier.with-the-package",
  title:
    "while the courier has the package, changes and cancellations answer 409 KURYE_ALDI and change nothing",
  clauses: ["STATE-23", "STATE-24", "STATE-26", "ERR-20"],
  needs: ["courier"],
  mutants: [
    "package-on-its-way-can-be-changed",
    "package-on-its-way-gets-another-address",
    "package-at-the-door-can-be-changed",
    "package-on-its-way-can-be-cancelled",
    "package-refusal-is-final",
    "package-refusal-changes-the-notes",
  ],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "assigned");
    // The twin: a moment before, the same change is taken.
    await changed(context.api, id, { notes: "Kapıda bekleyin" });
    await context.move(id, "at_pickup");
    const path = { id };
    for (const action of ["picked_up", "en_route", "arrived"] as const) {
      await context.move(id, action);
      const before = await read(context.api, id);
      for (const body of changesNear(context.point)) {
        const refused = await context.api.violate("updateDelivery", `it is ${action}`, { path, body });
        refused.refused(409, "KURYE_ALDI");
      }
      const cancel = { path, body: { reason: "Müşteri vazgeçti" } };
      (await context.api.violate("cancelDelivery", `it is ${action}`, cancel)).refused(409, "KURYE_ALDI");
      await expectUntouched(context.api, before, "the refusals");
      expect((await read(context.api, id)).status, "status").toBe(before.status);
    }
  },
});

const onTheWayBack = check({
  id: "courier.on-the-way-back",
  title: "while the package is on its way back, a cancellation answers 409 KURYE_ALDI",
  clauses: ["STATE-25"],
  needs: ["courier"],
  mutants: ["returning-can-be-cancelled"],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "arrived");
    if (!(await context.move(id, "returning")))
      throw new NotTestable("returning was refused at the door (409)");
    const cancel = { path: { id }, body: { reason: "Müşteri vazgeçti" } };
    (await context.api.violate("cancelDelivery", "on its way back", cancel)).refused(409, "KURYE_ALDI");
  },
});

const deliveredIsFinal = check({
  id: "courier.delivered-is-final",
  title: "a delivered delivery can't be cancelled or changed, and keeps its status",
  clauses: ["STATE-28", "STATE-33", "STATE-37"],
  needs: ["courier"],
  mutants: ["delivered-can-be-cancelled", "delivered-can-be-changed", "delivered-becomes-cancelled"],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "delivered");
    const { status } = await read(context.api, id);
    const cancel = { path: { id }, body: { reason: "too late" } };
    (await context.api.violate("cancelDelivery", "it is delivered", cancel)).refused(409, "SON_DURUM");
    const change = { path: { id }, body: { notes: "too late" } };
    (await context.api.violate("updateDelivery", "it is delivered", change)).refused(
      409,
      "SON_DURUM",
      "KURYE_ALDI",
    );
    expect((await read(context.api, id)).status, "status after the refusals").toBe(status);
  },
});

const offeredAgain = check({
  id: "courier.offered-again",
  title: "after an offer has lapsed the delivery can be offered and assigned again",
  clauses: ["STATE-17"],
  needs: ["courier"],
  mutants: ["lapsed-offer-ends-the-search"],
  async run(context) {
    const { id } = await opened(context);
    await context.bring(id, "offered");
    const lapsed = await context.move(id, "offer_lapsed");
    if (!lapsed) throw new NotTestable("the control interface refused offer_lapsed after an offer (409)");
    expect(await context.move(id, "offered"), "the second offer is taken").toBe(true);
    expect(await context.move(id, "assigned"), "the assignment after it is taken").toBe(true);
    expect((await read(context.api, id)).status, "status").toBe("ASSIGNED");
  },
});

const statusStrings = check({
  id: "courier.status-strings",
  title: "one end has one status string, and the four ends have different ones",
  clauses: ["STATE-40", "STATE-41"],
  needs: ["courier"],
  mutants: ["failed-is-shown-as-returned", "delivered-is-shown-in-two-words"],
  async run(context) {
    const end = async (reach: (id: string) => Promise<unknown>) => {
      const { id } = await opened(context);
      await reach(id);
      return (await read(context.api, id)).status;
    };
    const delivered = await end((id) => context.bring(id, "delivered"));
    const again = await end((id) => context.bring(id, "delivered"));
    const gone = await end((id) => cancelled(context.api, id));
    const failed = await end((id) => fail(context, id, REASON));
    const back = await end((id) => bringBack(context, id));
    expect(again, "the status of a second delivered delivery").toBe(delivered);
    expect(new Set([delivered, gone, failed, back]).size, "the different strings of four ends").toBe(4);
  },
});

export const courier: readonly Check[] = [
  assignment,
  courierKeys,
  wayToTheDoor,
  collected,
  returned,
  failureReason,
  returnReason,
  failedIsFinal,
  beforeTheHandOver,
  withTheCourier,
  onTheWayBack,
  deliveredIsFinal,
  offeredAgain,
  statusStrings,
];
