/** Courier actions of the control interface (`actAsCourier` and `addProof`). */

import { moveCourier } from "../deliveries/courier-moves.ts";
import type { Proof } from "../domain/model.ts";
import { DomainError } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";

export const actAsCourier: ControlOperation<"actAsCourier"> = async ({ deps, path, body }) => {
  await moveCourier(deps, path.delivery_id, body);
  return { status: 204 };
};

/** A photo may be added in any state of the delivery. */
export const addProof: ControlOperation<"addProof"> = async ({ deps, path, query, mediaType, body }) => {
  if (body.length > deps.limits.proofs.bytes) throw new DomainError("GOVDE_COK_BUYUK");
  const { deliveries, integrators, changeSequence, proofs } = deps.records;
  const delivery = await deliveries.findById(deps.database, path.delivery_id);
  const integrator = delivery && (await integrators.findById(deps.database, delivery.integrator_id));
  if (delivery === undefined || integrator === undefined) throw new DomainError("BULUNAMADI");
  const now = deps.clock.of(integrator, deps.clock.now());
  return deps.transaction(deps, async (tx) => {
    // Serializes concurrent photos, so that the limit of three holds.
    const stamp = await changeSequence.takeNext(tx, integrator.id, now);
    const taken = await proofs.list(tx, delivery.id);
    if (taken.length >= deps.limits.proofs.perDelivery) throw new DomainError("FOTOGRAF_SINIRI");
    const proof: Proof = {
      id: deps.ids.uuid(),
      delivery_id: delivery.id,
      ordinal: taken.length + 1,
      mime: mediaType,
      size: body.length,
      lat: query.lat ?? null,
      lng: query.lng ?? null,
      created_at: stamp.at,
    };
    await proofs.insert(tx, proof, body);
    return { status: 201, body: deps.views.proof(proof) };
  });
};
