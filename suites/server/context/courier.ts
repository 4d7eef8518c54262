import type { Schemas } from "../../core/contract/document.ts";
import { COURIER_ACTIONS, type CourierActionBody, proofPath } from "../../core/control.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Api } from "../session/http/api.ts";
import { type ContextDependencies, controlFor, noteControl } from "./dependencies.ts";

/** Actions after which a delivery may look unchanged (OPEN-82). */
const WITHOUT_TRACE: readonly CourierActionBody["action"][] = ["offered", "offer_lapsed"];

/** True if nothing in a delivery shows a courier. */
const isUntouched = ({ status, courier, assigned_at }: Schemas["Delivery"]): boolean =>
  ["RECEIVED", "QUEUED"].includes(status) && (courier ?? null) === null && (assigned_at ?? null) === null;

/** Courier actions and photos. */
export function courierContext(
  deps: ContextDependencies,
  api: Api,
): Capabilities["courier"] & Capabilities["proofs"] {
  let changedDeliveryId: string | undefined;
  const performAction = async (deliveryId: string, move: CourierActionBody): Promise<boolean> => {
    const path = `/deliveries/${pathSegment(deliveryId)}/courier`;
    const step = { method: "POST", path, body: move } as const;
    noteControl(deps, step);
    const isAccepted = await controlFor(deps, "courier").actAsCourier(deliveryId, move);
    if (!isAccepted) deps.recorder.trace.refuse(step);
    if (isAccepted && !WITHOUT_TRACE.includes(move.action)) changedDeliveryId ??= deliveryId;
    return isAccepted;
  };
  const looksUntouched = async (id: string): Promise<boolean> => {
    const response = await api.getDelivery(id);
    return response.status === 200 && isUntouched(response.body(200));
  };
  // If a target accepts actions without effect, checks of their effect have no evidence.
  deps.confirmLater(async () => {
    if (changedDeliveryId === undefined || !(await looksUntouched(changedDeliveryId))) return;
    // A new drop-off may have released the courier (OPEN-85), so the delivery is assigned again.
    const control = controlFor(deps, "courier");
    for (const action of ["offered", "assigned"] as const)
      await control.actAsCourier(changedDeliveryId, { action });
    if (!(await looksUntouched(changedDeliveryId))) return;
    throw new CheckSkipped("the control interface accepts courier actions, but the deliveries don't change");
  });
  return {
    performCourierAction: (deliveryId, action, details) => performAction(deliveryId, { action, ...details }),
    performCourierActionsUpTo: async (deliveryId, upTo, details) => {
      const steps: readonly string[] = COURIER_ACTIONS;
      const actions = COURIER_ACTIONS.slice(0, steps.indexOf(upTo) + 1);
      if (actions.length === 0) throw new Error(`${upTo} isn't a courier action`);
      for (const action of actions) {
        // A service may assign without an offer (OPEN-202), and refuse the offer.
        if (action === "offered" && action !== upTo) {
          await performAction(deliveryId, { action });
          continue;
        }
        if (await performAction(deliveryId, { action, ...(action === upTo && details) })) continue;
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      }
    },
    addProof: (deliveryId, photo) => {
      noteControl(deps, { method: "POST", path: proofPath(deliveryId, photo), upload: photo });
      return controlFor(deps, "proofs").addProof(deliveryId, photo);
    },
  };
}
