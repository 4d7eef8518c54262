/** The photos of a delivery (specification, Proofs). */

import { DomainError } from "../errors.ts";
import type { AuthenticatedOperation } from "./operation.ts";

export const listProofs: AuthenticatedOperation<"listProofs"> = async ({ deps, integrator, path }) => {
  const delivery = await deps.records.deliveries.find(deps.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  const proofs = await deps.records.proofs.list(deps.database, delivery.id);
  return { status: 200, body: { items: proofs.map(deps.views.proof) } };
};

/** The photo's original bytes and type. */
export const getProof: AuthenticatedOperation<"getProof"> = async ({ deps, integrator, path }) => {
  const delivery = await deps.records.deliveries.find(deps.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  const found = await deps.records.proofs.find(deps.database, delivery.id, path.proofId);
  if (found === undefined) throw new DomainError("BULUNAMADI");
  const [proof, bytes] = found;
  return { status: 200, type: proof.mime, body: bytes };
};
