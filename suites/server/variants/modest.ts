import { compose } from "../mutants/operators/compose.ts";
import { stallsSometimes } from "./messages.ts";
import {
  activeStores,
  closesNoCredentials,
  deliversEverything,
  noAreas,
  noCredit,
  noOffers,
  noPhotos,
  noPositions,
  noPrices,
  oneCompany,
  onlyIntegrators,
  plainCodes,
} from "./missing-features.ts";
import { reportsPositionsLater } from "./particulars.ts";
import type { Variant } from "./variant.ts";

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
