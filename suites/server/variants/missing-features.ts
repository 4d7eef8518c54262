/** The refusal of a feature that a conforming service may lack and declare. */

import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { Move } from "../../../reference-server/domain/courier.ts";
import { DomainError } from "../../../reference-server/errors.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

const refused = (field: string) => new DomainError("DOGRULAMA", { field, reason: "yok" });

/** Credentials can't be closed. */
export const closesNoCredentials = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    closeIntegrator() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Every credential belongs to an integrator. */
export const onlyIntegrators = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    createIntegrator(call) {
      if (call.body?.kind === "other") throw refused("kind");
      return deps.controlOperations.createIntegrator(call);
    },
  },
});

/** A pairing code is always for a new restaurant, and never expires. */
export const plainCodes = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    issuePairingCode(call) {
      if (call.body?.restaurant !== undefined) throw refused("restaurant");
      if (call.body?.expires_in !== undefined) throw refused("expires_in");
      return deps.controlOperations.issuePairingCode(call);
    },
  },
});

/** Every store is active. */
export const activeStores = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    configureStore(call) {
      if (call.body.status !== undefined && call.body.status !== "active") throw refused("status");
      return deps.controlOperations.configureStore(call);
    },
  },
});

/** Couriers take no photos. */
export const noPhotos = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    addProof() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Removes courier actions. */
const withoutMoves =
  (...moves: readonly Move["action"][]) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    controlOperations: {
      ...deps.controlOperations,
      actAsCourier(call) {
        if (moves.includes(call.body.action)) throw refused("action");
        return deps.controlOperations.actAsCourier(call);
      },
    },
  });

/** Couriers are assigned without an offer. */
export const noOffers = withoutMoves("offered", "offer_lapsed");

/** Every picked-up package is delivered. */
export const deliversEverything = withoutMoves("failed", "returning", "returned");

/** Couriers report no positions. */
export const noPositions = withoutMoves("courier_location");

/** The company has no prices, so all prices are null. */
export const noPrices = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    configureStore(call) {
      if ((call.body.price ?? null) !== null) throw refused("price");
      return deps.controlOperations.configureStore(call);
    },
  },
});

/** The number of deliveries isn't limited by credit. */
export const noCredit = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    readCredit: async () => ({ status: 200, body: { consumed: 0 } }),
  },
});

/** The service of a single company. */
export const oneCompany = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    issuePairingCode: (call) =>
      deps.controlOperations.issuePairingCode({
        ...call,
        body: { ...call.body, courier_company: "Tek Kurye" },
      }),
  },
});

/** There are no delivery areas. */
export const noAreas = replaceOperation("listDeliveryAreas", async (call, original) => {
  const answer = await original(call);
  return { ...answer, body: { items: [] } };
});
