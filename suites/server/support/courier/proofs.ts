import type { Schemas } from "../../../core/contract/document.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { ContextFor } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { createDelivery } from "../orders/deliveries.ts";
import type { PhotoType } from "./photos.ts";

type ProofContext = ContextFor<"courier" | "proofs">;

export const listProofs = async (api: Api, id: string): Promise<readonly Schemas["Proof"][]> =>
  (await api.call("listProofs", { path: { id } })).body(200).items;

interface Photo {
  readonly bytes: Uint8Array;
  readonly mime: PhotoType;
  readonly lat?: number;
  readonly lng?: number;
}

/** @throws CheckSkipped if the control interface refuses the photo */
export async function addPhoto({ addProof }: ProofContext, id: string, photo: Photo): Promise<void> {
  const { status } = await addProof(id, photo);
  if (status !== 201)
    throw new CheckSkipped(`the control interface refused a photo at the customer's door (${status})`);
}

/** Creates a delivery, takes it to the customer's door, and adds photos. */
export async function createPhotographedDelivery(
  context: ProofContext,
  photos: readonly Photo[],
): Promise<Schemas["Delivery"]> {
  const delivery = await createDelivery(context);
  await context.performCourierActionsUpTo(delivery.id, "arrived");
  for (const photo of photos) await addPhoto(context, delivery.id, photo);
  return delivery;
}
