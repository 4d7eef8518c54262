/** Features that a conforming service may lack and declare. Its control interface refuses them. */

import type { Move } from "../../../reference-server/domain/courier.ts";
import { DomainError } from "../../../reference-server/errors.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

const refused = (field: string) => new DomainError("DOGRULAMA", { field, reason: "yok" });

/** Credentials can't be closed. */
export const closesNoCredential = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    closeIntegrator() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Every credential belongs to an integrator. */
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

/** A pairing code is always for a new restaurant, and never expires. */
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

/** Couriers take no photos. */
export const takesNoPhotos = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    addProof() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Removes courier actions. */
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

/** Couriers are assigned without an offer. */
export const assignsUnasked = withoutMoves("offered", "offer_lapsed");

/** Every picked-up package is delivered. */
export const handsEverythingOver = withoutMoves("failed", "returning", "returned");

/** Couriers report no positions. */
export const seesNoCourier = withoutMoves("courier_location");

/** The company has no prices, so all prices are null. */
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

/** The number of deliveries isn't limited by credit. */
export const countsNoCredit = (parts: Parts): Parts => ({
  ...parts,
  controlOperations: {
    ...parts.controlOperations,
    readCredit: async () => ({ status: 200, body: { consumed: 0 } }),
  },
});

/** The service of a single company. */
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

/** There are no delivery areas. */
export const listsNoArea = replaceOperation("listDeliveryAreas", async (call, original) => {
  const answer = await original(call);
  return { ...answer, body: { items: [] } };
});
