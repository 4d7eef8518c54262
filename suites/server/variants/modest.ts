import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { Move } from "../../../reference-server/domain/courier.ts";
import { DomainError } from "../../../reference-server/errors.ts";
import { compose } from "../mutants/operators/compose.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";
import { alterPost } from "../mutants/operators/webhooks.ts";
import type { Variant } from "./variant.ts";

/** The delay of a reported position, because couriers are located at intervals. */
const POSITION_MS = 18_000;
const reportsPositionsLater = (deps: Dependencies): Dependencies => ({
  ...deps,
  async emit(all, tx, delivery, kind) {
    if (kind !== "delivery.courier_location") return deps.emit(all, tx, delivery, kind);
    void pause(POSITION_MS, undefined, { ref: false })
      .then(() => all.transaction((later) => deps.emit(all, later, delivery, kind)))
      // The server may have stopped.
      .catch(() => {});
  },
});

/** The delay of a response while the machine stalls. A clock advance doesn't wait that long. */
const STALL_MS = 3_200;
/** One in this many attempts is delayed. */
const STALL_INTERVAL = 15;

/**
 * The machine stalls sometimes. If the clock is advanced meanwhile, an attempt times out although its
 * response was sent.
 */
function stallsSometimes(deps: Dependencies): Dependencies {
  let sent = 0;
  return alterPost((post) => async (all, outgoing, signal) => {
    sent += 1;
    const isStalled = sent % STALL_INTERVAL === 0;
    const answer = await post(all, outgoing, signal);
    if (isStalled) await pause(STALL_MS);
    return answer;
  })(deps);
}

/** The refusal of a feature that a conforming service may lack and declare. */
const refused = (field: string) => new DomainError("DOGRULAMA", { field, reason: "yok" });

/** Credentials can't be closed. */
const closesNoCredentials = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    closeIntegrator() {
      throw new DomainError("BULUNAMADI");
    },
  },
});

/** Every credential belongs to an integrator. */
const onlyIntegrators = (deps: Dependencies): Dependencies => ({
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
const plainCodes = (deps: Dependencies): Dependencies => ({
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
const activeStores = (deps: Dependencies): Dependencies => ({
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
const noPhotos = (deps: Dependencies): Dependencies => ({
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
const noOffers = withoutMoves("offered", "offer_lapsed");

/** Every picked-up package is delivered. */
const deliversEverything = withoutMoves("failed", "returning", "returned");

/** Couriers report no positions. */
const noPositions = withoutMoves("courier_location");

/** The company has no prices, so all prices are null. */
const noPrices = (deps: Dependencies): Dependencies => ({
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
const noCredit = (deps: Dependencies): Dependencies => ({
  ...deps,
  controlOperations: {
    ...deps.controlOperations,
    readCredit: async () => ({ status: 200, body: { consumed: 0 } }),
  },
});

/** The service of a single company. */
const oneCompany = (deps: Dependencies): Dependencies => ({
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
const noAreas = replaceOperation("listDeliveryAreas", async (call, original) => {
  const answer = await original(call);
  return { ...answer, body: { items: [] } };
});

/** A service whose company lacks most optional features. */
export const modest: Variant = {
  choices: { "OPEN-72": "no delivery area is listed", "OPEN-182": "all credentials are integrators'" },
  otherDifferences: [
    "credentials and stores are never closed, pairing codes never expire, and there are no photos",
    "the machine stalls sometimes, just after an attempt was answered",
    "couriers' positions are reported at intervals",
  ],
  warnings: ["areas.every-store", "quotes.reasons"],
  without: [
    "closed-credentials",
    "other-credentials",
    "expiring-codes",
    "restaurant-codes",
    "inactive-stores",
    "delivery-areas",
    "proof-photos",
  ],
  mutate: compose(
    closesNoCredentials,
    onlyIntegrators,
    plainCodes,
    activeStores,
    noAreas,
    noPhotos,
    stallsSometimes,
    reportsPositionsLater,
  ),
};

/** A service whose couriers lack most optional features. */
export const plain: Variant = {
  choices: { "OPEN-202": "a courier is assigned without an offer" },
  otherDifferences: [
    "no delivery fails or is returned, no courier reports a position, no company has prices, no credit is counted, and there is one company",
  ],
  without: [
    "courier-offers",
    "failed-deliveries",
    "returned-deliveries",
    "courier-positions",
    "price-tables",
    "credit",
    "courier-companies",
  ],
  eventualTimeoutMs: 3_000,
  mutate: compose(noOffers, deliversEverything, noPositions, noPrices, noCredit, oneCompany),
};
