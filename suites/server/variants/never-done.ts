/** What a legal service may never do, so that it is declared: its control interface refuses to bring it about. */
import { DomainError } from "../../../reference-server/errors.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

const refused = (field: string) => new DomainError("DOGRULAMA", { field, reason: "yok" });

/** No credential is closed. */
export const closesNoCredential = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    closeIntegrator() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Credentials are integrators', all of them. */
export const integratorsAlone = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    createIntegrator(call) {
      if (call.body?.kind === "other") throw refused("kind");
      return parts.controlOperations.createIntegrator(call);
    },
  },
});

/** A pairing code is good for a new restaurant, and until it is used. */
export const plainCodes = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    issuePairingCode(call) {
      if (call.body?.restaurant !== undefined) throw refused("restaurant");
      if (call.body?.expires_in !== undefined) throw refused("expires_in");
      return parts.controlOperations.issuePairingCode(call);
    },
  },
});

/** Every store is active. */
export const activeStores = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    configureStore(call) {
      if (call.body.status !== undefined && call.body.status !== "active") throw refused("status");
      return parts.controlOperations.configureStore(call);
    },
  },
});

/** Nobody takes photos. */
export const takesNoPhotos = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    addProof() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Nobody has drawn an area. */
export const listsNoArea = replaceOperation("listDeliveryAreas", async (call, original) => {
  const answer = await original(call);
  return { ...answer, body: { items: [] } };
});
