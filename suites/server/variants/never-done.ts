/** Actions that a legal service may never perform, and declares so. Its control interface refuses to cause them. */

import type { Move } from "../../../reference-server/domain/courier.ts";
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

/** Moves that aren't there for couriers. */
const withoutMoves =
  (...moves: readonly Move["action"][]) =>
  (parts: Parts): Parts => ({
    ...parts,
    controlOperations: {
      ...parts.controlOperations,
      actAsCourier(call) {
        if (moves.includes(call.body.action)) throw refused("action");
        return parts.controlOperations.actAsCourier(call);
      },
    },
  });

/** Free couriers are assigned without an offer. */
export const assignsUnasked = withoutMoves("offered", "offer_lapsed");

/** Every package that a courier has taken arrives. */
export const handsEverythingOver = withoutMoves("failed", "returning", "returned");

/** Couriers carry no positioning device. */
export const seesNoCourier = withoutMoves("courier_location");

/** The company isn't paid by the delivery: it has no prices, which is the same as null prices. */
export const hasNoPrices = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    configureStore(call) {
      if ((call.body.price ?? null) !== null) throw refused("price");
      return parts.controlOperations.configureStore(call);
    },
  },
});

/** Every integrator may open any number of deliveries. */
export const countsNoCredit = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    readCredit: async () => ({ status: 200, body: { consumed: 0 } }),
  },
});

/** One company's own service. */
export const oneCompany = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    issuePairingCode: (call) =>
      parts.controlOperations.issuePairingCode({
        ...call,
        body: { ...call.body, courier_company: "Tek Kurye" },
      }),
  },
});

/** Nobody has drawn an area. */
export const listsNoArea = replaceOperation("listDeliveryAreas", async (call, original) => {
  const answer = await original(call);
  return { ...answer, body: { items: [] } };
});
