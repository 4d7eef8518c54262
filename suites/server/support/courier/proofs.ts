import type { Schemas } from "../../../core/contract/document.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { ContextFor } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { createDelivery } from "../orders/deliveries.ts";
import type { PhotoType } from "./photos.ts";

type ProofContext = ContextFor<"courier" | "proofs">;

export const listProofs = async (api: Api, id: string): Promise<readonly Schemas["Proof"][]> =>
  (await api.call("listProofs", { path: { id } })).body(200).items;

/** Creates a delivery, takes it to the customer's door, and adds photos. */
export async function createPhotographedDelivery(
  context: ProofContext,
  photos: readonly { bytes: Uint8Array; mime: PhotoType; lat?: number; lng?: number }[],
): Promise<Schemas["Delivery"]> {
  const delivery = await createDelivery(context);
  await context.performCourierActionsUpTo(delivery.id, "arrived");
  for (const one of photos) {
    const { status } = await context.addProof(delivery.id, one);
    if (status !== 201)
      throw new CheckSkipped(`the control interface refused a photo at the customer's door (${status})`);
  }
  return delivery;
}
