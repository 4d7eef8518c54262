import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Action } from "../../../../reference-server/domain/lifecycle.ts";
import type { Status } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import {
  ALL_ROWS,
  alterRefusalCode,
  alterUpdate,
  findDelivery,
  overwriteDelivery,
} from "../operators/deliveries.ts";
import { alterEventKinds, emitEvent } from "../operators/events.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";

const allowActionFrom =
  (action: Action, status: Status): Mutate =>
  (deps) => {
    const { transitions } = deps.lifecycle;
    const from = [...transitions[action].from, status];
    const changed = { ...transitions, [action]: { ...transitions[action], from } };
    return { ...deps, lifecycle: { ...deps.lifecycle, transitions: changed } };
  };

export const modelsMutants: Mutants = {
  "version-stops-at-three": {
    fault: "version stops rising after a few changes",
    breaks: [{ clause: "DLV-8" }],
    caughtBy: ["models.life-without-a-courier"],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) => {
        const after = deps.revise(before, change, stamp, kind);
        return { ...after, version: Math.min(after.version, 3) };
      },
    }),
  },
  "changed-delivery-is-cancelled-twice": {
    fault: "a changed delivery can be cancelled twice",
    breaks: [{ clause: "STATE-27" }],
    caughtBy: ["models.life-without-a-courier"],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        const delivery = await findDelivery(call);
        if (!delivery || delivery.version < 3) throw refusal;
        return respondWith(200, call.deps.views.delivery(call.deps, delivery));
      }),
    ),
  },
  "refused-change-touches-another-delivery": {
    fault: "a refused change of a final delivery's notes changes another delivery",
    breaks: [{ clause: "STATE-36" }],
    caughtBy: ["models.life-without-a-courier"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        const { deps, integrator, path, body } = call;
        const rows = await deps.records.deliveries.page(deps.database, integrator.id, { rows: ALL_ROWS });
        const other = rows.findLast(({ id }) => id !== path.id);
        if (other && body.notes !== undefined) await overwriteDelivery(call, other.id, { notes: body.notes });
        throw refusal;
      }),
    ),
  },
  "arrival-keeps-the-version": {
    fault: "the courier's arrival doesn't increase the version",
    breaks: [{ clause: "DLV-9" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) => {
        const after = deps.revise(before, change, stamp, kind);
        return kind === "delivery.arrived" ? { ...after, version: before.version } : after;
      },
    }),
  },
  "assignment-after-a-lapse-unreported": {
    fault: "an assignment after a lapsed offer emits no event",
    breaks: [{ clause: "STATE-14" }, { clause: "EVENT-16" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: (deps) => {
      const lapsed = new Set<string>();
      return alterEventKinds((kind, { id, offered_at }) => {
        if (kind === "delivery.queued" && offered_at !== null) lapsed.add(id);
        return kind === "delivery.assigned" && lapsed.has(id) ? [] : [kind];
      })(deps);
    },
  },
  "cancellation-after-a-lapse-names-a-courier": {
    fault: "a cancelled delivery names the courier whose offer lapsed",
    breaks: [{ clause: "STATE-13" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: (deps) => {
      const lapsed = new Set<string>();
      const courier = {
        ...deps.courier.defaultCourier,
        lat: null,
        lng: null,
        location_at: null,
        heading: null,
      };
      return alterUpdate((after, before) => {
        if (before.status === "OFFERED" && after.status === "QUEUED") lapsed.add(after.id);
        const unassigned = after.status === "CANCELLED" && after.assigned_at === null;
        return unassigned && lapsed.has(after.id) ? { courier } : {};
      })(deps);
    },
  },
  "delivered-is-applied-and-reported-twice": {
    fault: "a delivered package can be delivered again, with another event",
    breaks: [{ clause: "EVENT-21" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: allowActionFrom("delivered", "DELIVERED"),
  },
  "cancelled-delivery-is-assigned": {
    fault: "a courier can be assigned to a cancelled delivery, which becomes active again",
    breaks: [{ clause: "STATE-49" }],
    mutate: allowActionFrom("assigned", "CANCELLED"),
  },
  "change-drops-the-courier": {
    fault: "a change of an assigned delivery removes its courier",
    breaks: [{ clause: "STATE-13" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: alterUpdate((after, before) =>
      after.status === "ASSIGNED" && before.status === "ASSIGNED" ? { courier: null } : {},
    ),
  },
  "lapsed-offer-is-the-last": {
    fault: "a delivery isn't offered to another courier after an offer has lapsed",
    breaks: [{ clause: "STATE-17" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: (deps) => {
      const lapsed = new Set<string>();
      const actAsCourier: Dependencies["controlOperations"]["actAsCourier"] = async (call) => {
        const { delivery_id } = call.path;
        const { action } = call.body;
        if (action === "offered" && lapsed.has(delivery_id)) throw new DomainError("DURUM_UYGUN_DEGIL");
        const reply = await deps.controlOperations.actAsCourier(call);
        if (action === "offer_lapsed") lapsed.add(delivery_id);
        return reply;
      };
      return { ...deps, controlOperations: { ...deps.controlOperations, actAsCourier } };
    },
  },
  "change-of-a-package-is-refused-as-final": {
    fault: "a change while the courier has the package returns SON_DURUM",
    breaks: [{ clause: "STATE-23" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: alterRefusalCode("updateDelivery", "KURYE_ALDI", "SON_DURUM"),
  },
  "cancellation-of-a-package-is-refused-as-final": {
    fault: "a cancellation while the courier has the package returns SON_DURUM",
    breaks: [{ clause: "STATE-24" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: alterRefusalCode("cancelDelivery", "KURYE_ALDI", "SON_DURUM"),
  },
  "refused-courier-action-reported": {
    fault: "a refused courier action emits an event",
    breaks: [{ clause: "EMIT-9" }],
    caughtBy: ["models.life-with-a-courier"],
    mutate: (deps) => ({
      ...deps,
      controlOperations: {
        ...deps.controlOperations,
        actAsCourier: (call) =>
          onRefusal("DURUM_UYGUN_DEGIL", deps.controlOperations.actAsCourier(call), async (refusal) => {
            const { action } = call.body;
            const delivery = await deps.records.deliveries.findById(deps.database, call.path.delivery_id);
            if (delivery && action === "returned") {
              await emitEvent(call.deps, delivery, `delivery.${action}`);
            }
            throw refusal;
          }),
      },
    }),
  },
};
