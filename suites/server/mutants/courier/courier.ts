import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Lifecycle } from "../../../../reference-server/domain/lifecycle.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery, asLocalTime, withoutMembers } from "../operators/answers.ts";
import { alterUpdate, findDelivery } from "../operators/deliveries.ts";
import { replaceOperation } from "../operators/operations.ts";

type Transitions = Lifecycle["transitions"];

export const alterLifecycle =
  (change: (lifecycle: Lifecycle) => Partial<Lifecycle>): Mutate =>
  (deps) => ({ ...deps, lifecycle: { ...deps.lifecycle, ...change(deps.lifecycle) } });

const alterTransition = (
  action: keyof Transitions,
  change: Partial<Transitions[keyof Transitions]>,
): Mutate =>
  alterLifecycle(({ transitions }) => ({
    transitions: { ...transitions, [action]: { ...transitions[action], ...change } },
  }));

const withoutTime = (action: keyof Transitions): Mutate =>
  alterLifecycle(({ transitions }) => ({
    transitions: { ...transitions, [action]: withoutMembers(transitions[action], "timeField") },
  }));

export const alterCourierRules =
  (change: (rules: Dependencies["courier"]) => Partial<Dependencies["courier"]>): Mutate =>
  (deps) => ({ ...deps, courier: { ...deps.courier, ...change(deps.courier) } });

/** A server whose deliveries show some fields of the courier who was assigned last, to any delivery. */
const showLastAssigned =
  (...fields: readonly ("name" | "phone" | "plate")[]): Mutate =>
  (deps) => {
    const last: { name?: string; phone?: string; plate?: string } = {};
    return {
      ...deps,
      courier: {
        ...deps.courier,
        courier(running, before, move, at) {
          const courier = deps.courier.courier(running, before, move, at);
          if (move.action === "assigned" && courier)
            for (const field of fields) last[field] = courier[field] ?? undefined;
          return courier;
        },
      },
      views: { ...deps.views, courier: (courier) => deps.views.courier({ ...courier, ...last }) },
    };
  };

export const courierMutants: Mutants = {
  "courier-position-swapped": {
    fault: "a courier's lat and lng are swapped",
    breaks: [{ clause: "DLV-81" }],
    caughtBy: ["courier.position"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        courier: ({ lat, lng, ...courier }) => deps.views.courier({ ...courier, lat: lng, lng: lat }),
      },
    }),
  },
  "courier-position-time-is-local-time": {
    fault: "a courier's location_at is local time marked as UTC (Z)",
    breaks: [{ clause: "DLV-81" }],
    caughtBy: ["courier.position"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        courier: (courier) => {
          const shown = deps.views.courier(courier);
          return { ...shown, location_at: asLocalTime(shown.location_at) };
        },
      },
    }),
  },
  "courier-is-the-last-assigned-one": {
    fault: "every delivery shows the courier who was assigned last, to any delivery",
    breaks: breaking(["the first delivery", "the second delivery"], "STATE-13"),
    caughtBy: ["courier.assignment"],
    mutate: showLastAssigned("name", "phone", "plate"),
  },
  "courier-with-the-plate-of-the-last-assigned-one": {
    fault: "a courier has the plate of the one who was assigned last",
    breaks: [{ clause: "STATE-13", case: "the first delivery" }],
    caughtBy: ["courier.assignment"],
    mutate: showLastAssigned("plate"),
  },
  "courier-with-the-phone-of-the-last-assigned-one": {
    fault: "a courier has the phone number of the one who was assigned last",
    breaks: breaking(["the first delivery", "the second delivery"], "STATE-13"),
    caughtBy: ["courier.assignment"],
    mutate: showLastAssigned("phone"),
  },
  "courier-at-pickup-prevents-changes": {
    fault: "a delivery can't be changed once the courier is at the restaurant",
    breaks: [{ clause: "STATE-42" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      if ((await findDelivery(call))?.status === "AT_PICKUP") throw new DomainError("KURYE_ALDI");
      return original(call);
    }),
  },
  "courier-at-pickup-prevents-cancellations": {
    fault: "a delivery can't be cancelled once the courier is at the restaurant",
    breaks: [{ clause: "STATE-42" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      if ((await findDelivery(call))?.status === "AT_PICKUP") throw new DomainError("KURYE_ALDI");
      return original(call);
    }),
  },
  "assignment-keeps-the-status": {
    fault: "an assigned delivery keeps the status of an offered one until the courier reaches the restaurant",
    breaks: [{ clause: "STATE-11" }],
    mutate: alterDelivery(({ status }) => ({ status: status === "ASSIGNED" ? "OFFERED" : status })),
  },
  "assignment-has-no-time": {
    fault: "an assignment doesn't set assigned_at",
    breaks: [{ clause: "STATE-12" }],
    mutate: withoutTime("assigned"),
  },
  "assignment-has-no-courier": {
    fault: "courier is null until the courier reaches the restaurant",
    breaks: [{ clause: "STATE-13" }],
    caughtBy: ["courier.assignment"],
    mutate: alterDelivery(({ status, courier }) => ({ courier: status === "ASSIGNED" ? null : courier })),
  },
  "courier-without-masked-phone": {
    fault: "the courier has no phone_masked",
    breaks: [{ clause: "DLV-11", case: "phone_masked" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        courier: (courier) => withoutMembers(deps.views.courier(courier), "phone_masked"),
      },
    }),
  },
  "courier-moves-keep-the-version": {
    fault: "the pick-up doesn't increase the version",
    breaks: [{ clause: "DLV-9" }, { clause: "DLV-9", case: "picked_up" }],
    caughtBy: ["courier.actions-until-delivery", "courier.versions"],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) => {
        const after = deps.revise(before, change, stamp, kind);
        return kind === "delivery.picked_up" ? { ...after, version: after.version - 1 } : after;
      },
    }),
  },
  "pick-up-has-no-time": {
    fault: "the pick-up doesn't set picked_up_at",
    breaks: [{ clause: "DLV-49" }],
    mutate: withoutTime("picked_up"),
  },
  "pick-up-time-is-lost-on-delivery": {
    fault: "picked_up_at is cleared when the package is delivered",
    breaks: [{ clause: "DLV-49" }],
    caughtBy: ["courier.actions-until-delivery"],
    mutate: alterDelivery(({ delivered_at, picked_up_at }) => ({
      picked_up_at: delivered_at ? null : picked_up_at,
    })),
  },
  "delivery-has-no-time": {
    fault: "the delivery doesn't set delivered_at",
    breaks: [{ clause: "DLV-50" }],
    mutate: withoutTime("delivered"),
  },
  "delivered-at-is-in-the-future": {
    fault: "delivered_at is local time marked as UTC (Z)",
    breaks: [{ clause: "DLV-50" }],
    caughtBy: ["courier.actions-until-delivery"],
    mutate: alterDelivery(({ delivered_at }) => ({ delivered_at: asLocalTime(delivered_at) })),
  },
  "returned-at-is-when-the-return-began": {
    fault: "returned_at is set when the courier starts back to the restaurant",
    breaks: [{ clause: "DLV-51" }],
    mutate: alterUpdate(({ status, updated_at, returned_at }) =>
      status === "RETURNING" ? { returned_at: returned_at ?? updated_at } : {},
    ),
  },
  "return-has-no-time": {
    fault: "the return doesn't set returned_at",
    breaks: [{ clause: "DLV-51" }],
    mutate: withoutTime("returned"),
  },
  "collected-type-stays-null": {
    fault: "collected_type isn't stored",
    breaks: [{ clause: "DLV-22" }],
    mutate: alterCourierRules(() => ({ collected: (_deps, { payment }) => payment })),
  },
  "collected-type-set-at-assignment": {
    fault: "collected_type is set at the assignment",
    breaks: [{ clause: "DLV-68" }],
    mutate: alterDelivery(({ payment, assigned_at }) => ({
      payment: { ...payment, collected_type: payment.collected_type ?? (assigned_at ? payment.type : null) },
    })),
  },
  "collected-type-set-at-pick-up": {
    fault: "collected_type is set at the pick-up",
    breaks: [{ clause: "DLV-68", case: "picked_up" }],
    mutate: alterCourierRules((rules) => ({
      collected: (deps, before, move) =>
        move.action === "picked_up"
          ? { ...before.payment, collected_type: before.payment.type }
          : rules.collected(deps, before, move),
    })),
  },
  "prepaid-order-has-a-collected-type": {
    fault: "collected_type of a delivered prepaid order is its payment type",
    breaks: [{ clause: "DLV-62" }],
    mutate: alterDelivery(({ payment, prepaid, delivered_at }) => ({
      payment: {
        ...payment,
        collected_type: prepaid && delivered_at ? payment.type : payment.collected_type,
      },
    })),
  },
  "collected-type-is-the-orders-type": {
    fault: "collected_type is always the ordered payment type",
    breaks: [{ clause: "DLV-22", case: "another code" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, collected_type: payment.collected_type == null ? null : payment.type },
    })),
  },
  "collected-type-is-null-if-it-is-the-ordered-type": {
    fault: "collected_type is null if the courier collected the ordered payment type",
    breaks: [{ clause: "DLV-22", case: "the ordered code" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: {
        ...payment,
        collected_type: payment.collected_type === payment.type ? null : payment.collected_type,
      },
    })),
  },
  "failure-without-a-reason": {
    fault: "failure_reason of a failed delivery isn't stored",
    breaks: [{ clause: "DLV-54" }],
    mutate: alterCourierRules((rules) => ({
      failureReason: (before, move) => (move.action === "failed" ? null : rules.failureReason(before, move)),
    })),
  },
  "return-without-a-reason": {
    fault: "failure_reason of a return isn't stored",
    breaks: [{ clause: "DLV-55" }, { clause: "DLV-98" }],
    mutate: alterCourierRules((rules) => ({
      failureReason: (before, move) =>
        move.action === "returned" ? null : rules.failureReason(before, move),
    })),
  },
  "failure-reason-is-lost-on-return": {
    fault: "a return without a reason removes the earlier reason",
    breaks: [{ clause: "DLV-98" }],
    mutate: alterCourierRules((rules) => ({
      failureReason: (before, move) =>
        move.action === "returned" ? (move.reason ?? null) : rules.failureReason(before, move),
    })),
  },
  "assigned-at-changes-at-pickup": {
    fault: "assigned_at changes when the courier reaches the restaurant",
    breaks: [{ clause: "DLV-69", case: "at_pickup" }],
    caughtBy: ["courier.times-stay"],
    mutate: alterTransition("at_pickup", { timeField: "assigned_at" }),
  },
  "picked-up-at-changes-en-route": {
    fault: "picked_up_at changes when the courier sets out for the customer",
    breaks: [{ clause: "DLV-69", case: "en_route" }],
    caughtBy: ["courier.times-stay"],
    mutate: alterTransition("en_route", { timeField: "picked_up_at" }),
  },
  "picked-up-at-is-the-assignment": {
    fault: "picked_up_at is the time of the assignment",
    breaks: [{ clause: "DLV-80" }],
    caughtBy: ["courier.times-stay"],
    mutate: alterDelivery(({ assigned_at, picked_up_at }) => ({
      picked_up_at: picked_up_at && (assigned_at ?? picked_up_at),
    })),
  },
  "delivered-at-is-the-pick-up": {
    fault: "delivered_at is the time of the pick-up",
    breaks: [{ clause: "DLV-80" }],
    caughtBy: ["courier.times-stay"],
    mutate: alterDelivery(({ picked_up_at, delivered_at }) => ({
      delivered_at: delivered_at && (picked_up_at ?? delivered_at),
    })),
  },
  "collected-type-replaces-the-orders-type": {
    fault: "the collected payment type overwrites payment.type",
    breaks: [{ clause: "DLV-70" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, type: payment.collected_type ?? payment.type },
    })),
  },
  "delivered-delivery-has-a-failure-reason": {
    fault: "failure_reason of a delivered delivery is an empty text",
    breaks: [{ clause: "DLV-82" }],
    mutate: alterDelivery(({ delivered_at, failure_reason }) => ({
      failure_reason: delivered_at ? "YOK" : failure_reason,
    })),
  },
  ...forEachElement(
    ["cancelled_at", "delivered_at"],
    (time) => `unsuccessful-delivery-has-${time}`,
    (time) => ({
      fault: `${time} is also set on a delivery that fails or is returned`,
      breaks: [{ clause: "DLV-83" }, { clause: "DLV-84" }],
      mutate: alterDelivery((shown) => ({
        [time]: ["FAILED", "RETURNED"].includes(shown.status) ? shown.updated_at : shown[time],
      })),
    }),
  ),
  "unsuccessful-delivery-has-cancel_reason": {
    fault: "the reason of a failure or return is also the cancel_reason",
    breaks: [{ clause: "DLV-83" }, { clause: "DLV-84" }],
    mutate: alterDelivery(({ failure_reason, cancel_reason }) => ({
      cancel_reason: failure_reason ?? cancel_reason,
    })),
  },
  "courier-of-the-lapsed-offer-stays": {
    fault: "the courier of a lapsed offer stays with the delivery, and is shown after another's assignment",
    breaks: [{ clause: "STATE-50" }],
    mutate: alterCourierRules(({ courier, offeredTo }) => ({
      offeredTo: (deps, before, move) => before.offered_to ?? offeredTo(deps, before, move),
      courier: (deps, before, move, at) => {
        const { offered_to } = before;
        const isAssigned = move.action === "assigned" && offered_to !== null;
        return courier(deps, before, isAssigned ? { ...move, courier: offered_to } : move, at);
      },
    })),
  },
  "collected-type-is-set-without-a-delivery": {
    fault: "collected_type is also set on a delivery that fails or is returned",
    breaks: [{ clause: "DLV-76" }, { clause: "DLV-77" }],
    mutate: alterCourierRules(({ collected }) => ({
      collected: (deps, before, move) => {
        const isOver = move.action === "failed" || move.action === "returned";
        return collected(deps, before, isOver ? { ...move, action: "delivered" } : move);
      },
    })),
  },
  "lapsed-offer-ends-the-search": {
    fault: "a lapsed offer returns the delivery to RECEIVED",
    breaks: [{ clause: "STATE-17" }],
    caughtBy: ["courier.offered-again"],
    mutate: alterTransition("offer_lapsed", { to: "RECEIVED" }),
  },
  "cancelled-is-shown-as-delivered": {
    fault: "a cancelled delivery has the status of a delivered one",
    breaks: [{ clause: "STATE-41" }],
    mutate: alterDelivery(({ status }) => ({ status: status === "CANCELLED" ? "DELIVERED" : status })),
  },
  "failed-is-shown-as-cancelled": {
    fault: "a failed delivery has the status of a cancelled one",
    breaks: [{ clause: "STATE-43" }],
    mutate: alterDelivery(({ status }) => ({ status: status === "FAILED" ? "CANCELLED" : status })),
  },
  "returned-is-shown-as-cancelled": {
    fault: "a returned delivery has the status of a cancelled one",
    breaks: [{ clause: "STATE-44" }],
    mutate: alterDelivery(({ status }) => ({ status: status === "RETURNED" ? "CANCELLED" : status })),
  },
  "failed-is-shown-as-returned": {
    fault: "a failed delivery has the status of a returned one",
    breaks: [{ clause: "STATE-45" }],
    mutate: alterDelivery(({ status }) => ({ status: status === "FAILED" ? "RETURNED" : status })),
  },
  "delivered-has-two-status-strings": {
    fault: "delivered deliveries have one of two status strings",
    breaks: [{ clause: "STATE-40" }],
    mutate: (deps) => {
      const deliveredIds: string[] = [];
      const isSecond = (id: string) => {
        if (!deliveredIds.includes(id)) deliveredIds.push(id);
        return deliveredIds.indexOf(id) % 2 === 1;
      };
      return alterDelivery(({ id, status }) => ({
        status: status === "DELIVERED" && isSecond(id) ? "COMPLETED" : status,
      }))(deps);
    },
  },
};
