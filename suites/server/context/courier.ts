import { COURIER_ACTIONS, type CourierMove } from "../../core/control.ts";
import { NotTestable } from "../../core/failure.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextParts, controlFor, noteControl } from "./parts.ts";

/** Moves couriers, and takes photos for them. */
export function courierContext(parts: ContextParts): Capabilities["courier"] & Capabilities["proofs"] {
  const moveCourier = (deliveryId: string, move: CourierMove): Promise<boolean> => {
    const path = `/deliveries/${encodeURIComponent(deliveryId)}/courier`;
    noteControl(parts, { method: "POST", path, body: move });
    return controlFor(parts, "courier").actAsCourier(deliveryId, move);
  };
  return {
    moveCourier: (deliveryId, action, details) => moveCourier(deliveryId, { action, ...details }),
    moveCourierTo: async (deliveryId, upTo) => {
      const steps: readonly string[] = COURIER_ACTIONS;
      const way = COURIER_ACTIONS.slice(0, steps.indexOf(upTo) + 1);
      if (way.length === 0) throw new Error(`${upTo} is no step of the way to the door`);
      for (const action of way) {
        if (await moveCourier(deliveryId, { action })) continue;
        throw new NotTestable(`the control interface refused the courier's move ${action} (409)`);
      }
    },
    addProof: (deliveryId, photo) => {
      const path = `/deliveries/${encodeURIComponent(deliveryId)}/proofs`;
      noteControl(parts, { method: "POST", path, upload: photo });
      return controlFor(parts, "proofs").addProof(deliveryId, photo);
    },
  };
}
