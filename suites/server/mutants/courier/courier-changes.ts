import type { Status } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { ALL_ROWS, alterUpdate, findDelivery, overwriteDelivery } from "../operators/deliveries.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { alterLifecycle } from "./courier.ts";

/** The integrator may change the delivery in this state, and also cancel it if `cancel` is true. */
const allowChangesIn = (status: Status, { cancel }: { cancel: boolean }): Mutate =>
  alterLifecycle(({ states, transitions }) => ({
    states: { ...states, [status]: { ...states[status], final: false, withCourier: false } },
    transitions: cancel
      ? { ...transitions, cancel: { ...transitions.cancel, from: [...transitions.cancel.from, status] } }
      : transitions,
  }));

const keepReadyTimeWhen = (status: Status): Mutate =>
  alterUpdate(({ ready_at }, before) => ({
    ready_at: before.status === status ? before.ready_at : ready_at,
  }));

const keepAddressWhen = (status: Status): Mutate =>
  alterUpdate(({ dropoff }, before) => ({ dropoff: before.status === status ? before.dropoff : dropoff }));

const keepVersionWhen = (status: Status): Mutate =>
  alterUpdate((after, before) => ({ version: after.status === status ? before.version : after.version }));

/** Faults in changes and cancellations of deliveries that a courier has. */
export const courierChangesMutants: Mutants = {
  "failed-can-be-cancelled": {
    fault: "a failed delivery can be cancelled",
    breaks: [{ clause: "STATE-30" }],
    mutate: allowChangesIn("FAILED", { cancel: true }),
  },
  "failed-can-be-changed": {
    fault: "a failed delivery can be changed",
    breaks: [{ clause: "STATE-51" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      if ((await findDelivery(call))?.status !== "FAILED") return original(call);
      await overwriteDelivery(call, call.path.id, { notes: call.body.notes ?? null });
      return respondWith(204, undefined);
    }),
  },
  "returned-can-be-cancelled": {
    fault: "a returned delivery can be cancelled",
    breaks: [{ clause: "STATE-29" }],
    mutate: allowChangesIn("RETURNED", { cancel: true }),
  },
  "customer-cleared-on-return": {
    fault: "the customer of a returned delivery is deleted",
    breaks: [{ clause: "DLV-90" }],
    mutate: alterDelivery(({ returned_at, customer }) => ({ customer: returned_at ? null : customer })),
  },
  "customer-cleared-on-failure": {
    fault: "the customer of a failed delivery is deleted",
    breaks: [{ clause: "DLV-96" }],
    mutate: alterDelivery(({ customer }, { failed_at }) => ({ customer: failed_at ? null : customer })),
  },
  "nothing-is-due-after-delivery": {
    fault: "payment.amount_due is 0 once the delivery is delivered",
    breaks: breaking(["the ordered code", "another code"], "DLV-95"),
    mutate: alterDelivery(({ delivered_at, payment }) => ({
      payment: delivered_at ? { ...payment, amount_due: 0 } : payment,
    })),
  },
  "failure-keeps-the-version": {
    fault: "a failure doesn't increase the version",
    breaks: [{ clause: "DLV-96" }],
    mutate: keepVersionWhen("FAILED"),
  },
  "return-keeps-the-version": {
    fault: "the start of a return doesn't increase the version",
    breaks: [{ clause: "DLV-97" }],
    mutate: keepVersionWhen("RETURNING"),
  },
  "arrival-of-a-return-keeps-the-version": {
    fault: "the end of a return doesn't increase the version",
    breaks: [{ clause: "DLV-97" }],
    mutate: keepVersionWhen("RETURNED"),
  },
  "returned-changes-its-status": {
    fault: "a refused cancellation of a returned delivery changes its status to cancelled",
    breaks: [{ clause: "STATE-38" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        await overwriteDelivery(call, call.path.id, { status: "CANCELLED" });
        throw refusal;
      }),
    ),
  },
  "delivered-becomes-cancelled": {
    fault: "a refused cancellation of a delivered delivery is carried out",
    breaks: [{ clause: "STATE-37" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        const before = await findDelivery(call);
        await overwriteDelivery(
          call,
          call.path.id,
          before?.status === "DELIVERED" ? { status: "CANCELLED" } : {},
        );
        throw refusal;
      }),
    ),
  },
  "offered-cannot-be-changed": {
    fault: "an offered delivery can't be changed",
    breaks: [{ clause: "STATE-48" }],
    mutate: alterLifecycle(({ states }) => ({
      states: { ...states, OFFERED: { ...states.OFFERED, withCourier: true } },
    })),
  },
  "offered-cannot-be-cancelled": {
    fault: "an offered delivery can't be cancelled",
    breaks: [{ clause: "STATE-48" }],
    mutate: alterLifecycle(({ transitions: { cancel, ...others } }) => ({
      transitions: {
        ...others,
        cancel: { ...cancel, from: cancel.from.filter((status) => status !== "OFFERED") },
      },
    })),
  },
  "assigned-cannot-be-changed": {
    fault: "an assigned delivery can't be changed",
    breaks: [{ clause: "PATCH-22" }],
    mutate: alterLifecycle(({ states }) => ({
      states: { ...states, ASSIGNED: { ...states.ASSIGNED, withCourier: true } },
    })),
  },
  "assigned-cannot-be-cancelled": {
    fault: "an assigned delivery can't be cancelled",
    breaks: [{ clause: "STATE-20" }],
    mutate: replaceOperation("cancelDelivery", async (call, original, deps) => {
      const delivery = await deps.records.deliveries.find(deps.database, call.integrator.id, call.path.id);
      if (delivery?.status === "ASSIGNED") throw new DomainError("KURYE_ALDI");
      return original(call);
    }),
  },
  "cancellation-releases-the-courier": {
    fault: "a cancellation removes the courier from the courier's other deliveries",
    breaks: [{ clause: "DLV-100" }],
    mutate: replaceOperation("cancelDelivery", async (call, original, deps) => {
      const before = await findDelivery(call);
      const reply = await original(call);
      const open = await deps.records.deliveries.page(deps.database, call.integrator.id, { rows: ALL_ROWS });
      for (const { id, courier, status } of open)
        if (status === "ASSIGNED" && courier?.phone === before?.courier?.phone)
          await overwriteDelivery(call, id, { courier: null });
      return reply;
    }),
  },
  "en-route-delivery-can-be-changed": {
    fault: "a delivery that is en route can be changed",
    breaks: [{ clause: "STATE-23" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: allowChangesIn("EN_ROUTE", { cancel: false }),
  },
  "returned-can-be-changed": {
    fault: "a returned delivery can be changed",
    breaks: [{ clause: "STATE-29" }],
    mutate: allowChangesIn("RETURNED", { cancel: false }),
  },
  "offered-cancelled-without-reason": {
    fault: "the reason of a cancellation during an offer isn't stored",
    breaks: [{ clause: "STATE-48" }],
    mutate: alterUpdate(({ cancelled_at, cancel_reason }, { status }) => ({
      cancel_reason: cancelled_at !== null && status === "OFFERED" ? null : cancel_reason,
    })),
  },
  "assigned-cancelled-without-reason": {
    fault: "the reason of a cancellation after the assignment isn't stored",
    breaks: [{ clause: "STATE-20" }],
    mutate: alterUpdate(({ cancelled_at, cancel_reason }, { status }) => ({
      cancel_reason: cancelled_at !== null && status === "ASSIGNED" ? null : cancel_reason,
    })),
  },
  "en-route-delivery-gets-another-address": {
    fault: "the address of a delivery that is en route can be changed",
    breaks: [{ clause: "STATE-23" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      original(
        call.body.dropoff
          ? { ...call, deps: allowChangesIn("EN_ROUTE", { cancel: false })(call.deps) }
          : call,
      ),
    ),
  },
  ...forEachElement(
    ["ready_at", "phone", "phone_extension"],
    (field) => `en-route-delivery-gets-another-${field}`,
    (field) => ({
      fault: `${field} of a delivery that is en route can be changed`,
      breaks: breaking(field, "STATE-23", "ERR-20"),
      caughtBy: ["courier.with-the-package"],
      mutate: replaceOperation("updateDelivery", (call, original) =>
        original(
          Object.hasOwn({ ...call.body, ...call.body.customer }, field)
            ? { ...call, deps: allowChangesIn("EN_ROUTE", { cancel: false })(call.deps) }
            : call,
        ),
      ),
    }),
  ),
  "en-route-delivery-gets-another-scheduled_for": {
    fault: "scheduled_for of a delivery that is en route can be changed",
    breaks: breaking("scheduled_for", "STATE-23", "ERR-20"),
    caughtBy: ["courier.with-the-package"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const isEnRoute = (await findDelivery(call))?.status === "EN_ROUTE";
      return isEnRoute && call.body.scheduled_for ? { status: 204 as const } : original(call);
    }),
  },
  "offered-delivery-keeps-its-ready-time": {
    fault: "a new ready_at of an offered delivery is accepted, but not stored",
    breaks: [{ clause: "STATE-48" }],
    mutate: keepReadyTimeWhen("OFFERED"),
  },
  "delivery-keeps-its-ready-time-at-pickup": {
    fault: "a new ready_at is accepted, but not stored, once the courier is at the restaurant",
    breaks: [{ clause: "STATE-42" }],
    mutate: keepReadyTimeWhen("AT_PICKUP"),
  },
  "offered-delivery-keeps-its-address": {
    fault: "a new address of an offered delivery is accepted, but not stored",
    breaks: [{ clause: "STATE-48" }],
    mutate: keepAddressWhen("OFFERED"),
  },
  "assigned-delivery-keeps-its-address": {
    fault: "a new address of an assigned delivery is accepted, but not stored",
    breaks: [{ clause: "PATCH-22" }],
    mutate: keepAddressWhen("ASSIGNED"),
  },
  "delivery-keeps-its-address-at-pickup": {
    fault: "a new address is accepted, but not stored, once the courier is at the restaurant",
    breaks: [{ clause: "STATE-42" }],
    mutate: keepAddressWhen("AT_PICKUP"),
  },
  "delivery-keeps-its-phone-at-pickup": {
    fault: "a new phone number is accepted, but not stored, once the courier is at the restaurant",
    breaks: [{ clause: "STATE-42" }],
    mutate: alterUpdate(({ customer }, before) => ({
      customer: before.status === "AT_PICKUP" ? { ...customer, phone: before.customer.phone } : customer,
    })),
  },
  "cancelled-at-pickup-without-reason": {
    fault: "the reason of a cancellation with the courier at the restaurant isn't stored",
    breaks: [{ clause: "STATE-42" }],
    mutate: alterUpdate(({ cancelled_at, cancel_reason }, { status }) => ({
      cancel_reason: cancelled_at !== null && status === "AT_PICKUP" ? null : cancel_reason,
    })),
  },
  "assigned-delivery-keeps-its-ready-time": {
    fault: "a new ready_at of an assigned delivery is accepted, but not stored",
    breaks: [{ clause: "PATCH-22" }],
    mutate: keepReadyTimeWhen("ASSIGNED"),
  },
  "arrived-delivery-can-be-changed": {
    fault: "a delivery whose courier is at the door can be changed",
    breaks: [{ clause: "STATE-23" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: allowChangesIn("ARRIVED", { cancel: false }),
  },
  "en-route-delivery-can-be-changed-and-cancelled": {
    fault: "a delivery that is en route can be changed and cancelled",
    breaks: [{ clause: "STATE-23" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: allowChangesIn("EN_ROUTE", { cancel: true }),
  },
  "en-route-delivery-can-only-be-cancelled": {
    fault: "a delivery that is en route can be cancelled, but not changed",
    breaks: [{ clause: "STATE-24" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      original({ ...call, deps: allowChangesIn("EN_ROUTE", { cancel: true })(call.deps) }),
    ),
  },
  "refusal-after-pick-up-is-son-durum": {
    fault: "a change or cancellation of a package with the courier returns SON_DURUM",
    breaks: [{ clause: "STATE-23" }, { clause: "ERR-20" }],
    caughtBy: ["courier.with-the-package"],
    mutate: alterLifecycle(({ states }) => ({
      states: { ...states, EN_ROUTE: { ...states.EN_ROUTE, final: true } },
    })),
  },
  "refusal-after-pick-up-changes-the-notes": {
    fault: "a change refused with KURYE_ALDI changes the notes",
    breaks: [{ clause: "STATE-26" }],
    caughtBy: ["courier.with-the-package", "models.life-with-a-courier"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("KURYE_ALDI", original(call), async (refusal) => {
        await overwriteDelivery(call, call.path.id, { notes: call.body.notes ?? null });
        throw refusal;
      }),
    ),
  },
  "returning-can-be-cancelled": {
    fault: "a delivery on its way back can be cancelled",
    breaks: [{ clause: "STATE-25" }],
    mutate: allowChangesIn("RETURNING", { cancel: true }),
  },
  "returning-can-be-changed": {
    fault: "a delivery on its way back can be changed",
    breaks: [{ clause: "STATE-46" }],
    mutate: allowChangesIn("RETURNING", { cancel: false }),
  },
  "delivered-can-be-cancelled": {
    fault: "a delivered delivery can be cancelled",
    breaks: [{ clause: "STATE-28" }],
    mutate: allowChangesIn("DELIVERED", { cancel: true }),
  },
  "delivered-can-be-changed": {
    fault: "a delivered delivery can be changed",
    breaks: [{ clause: "STATE-33" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      original({ ...call, deps: allowChangesIn("DELIVERED", { cancel: false })(call.deps) }),
    ),
  },
  ...forEachElement(
    ["assigned", "at_pickup", "picked_up", "delivered"],
    (action) => `${action}-undoes-a-change`,
    (action) => ({
      fault: `the courier action ${action} restores the notes from before the last change`,
      breaks: breaking(action, "PATCH-27"),
      mutate: alterUpdate(({ status, notes }, before) => ({
        notes: status !== before.status && status === action.toUpperCase() ? null : notes,
      })),
    }),
  ),
  "returned-at-is-the-pick-up": {
    fault: "returned_at is the time of the pick-up",
    breaks: [{ clause: "DLV-88" }],
    mutate: alterDelivery(({ picked_up_at, returned_at }) => ({ returned_at: returned_at && picked_up_at })),
  },
  "cancelled-at-is-the-creation": {
    fault: "cancelled_at is the time of the creation",
    breaks: [{ clause: "DLV-80" }],
    caughtBy: ["courier.times-of-cancellations"],
    mutate: alterDelivery(({ cancelled_at, created_at }) => ({ cancelled_at: cancelled_at && created_at })),
  },
  "cancelled-at-is-the-assignment": {
    fault: "cancelled_at of an assigned delivery is the time of the assignment",
    breaks: [{ clause: "DLV-80", case: "cancelled after an assignment" }],
    caughtBy: ["courier.times-of-cancellations"],
    mutate: alterDelivery(({ cancelled_at, assigned_at }) => ({
      cancelled_at: cancelled_at && (assigned_at ?? cancelled_at),
    })),
  },
};
