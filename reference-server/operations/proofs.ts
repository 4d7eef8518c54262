/** The photos of a delivery (specification, Proofs). */

import { DomainError } from "../errors.ts";
import type { PrivateOperation } from "./operation.ts";

export const listProofs: PrivateOperation<"listProofs"> = async ({ parts, integrator, path }) => {
  const delivery = await parts.records.deliveries.find(parts.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  const proofs = await parts.records.proofs.list(parts.database, delivery.id);
  return { status: 200, body: { items: proofs.map(parts.views.proof) } };
};

/** The photo's original bytes and type. */
export const getProof: PrivateOperation<"getProof"> = async ({ parts, integrator, path }) => {
  const delivery = await parts.records.deliveries.find(parts.database, integrator.id, path.id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  const found = await parts.records.proofs.find(parts.database, delivery.id, path.proofId);
  if (found === undefined) throw new DomainError("BULUNAMADI");
  const [proof, bytes] = found;
  return { status: 200, type: proof.mime, body: bytes };
};
