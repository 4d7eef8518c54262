import { compose } from "../mutants/operators/compose.ts";
import { heldUpNowAndThen } from "./messages.ts";
import {
  activeStores,
  assignsUnasked,
  closesNoCredential,
  countsNoCredit,
  handsEverythingOver,
  hasNoPrices,
  integratorsAlone,
  listsNoArea,
  oneCompany,
  plainCodes,
  seesNoCourier,
  takesNoPhotos,
} from "./never-done.ts";
import { positionsFromTimeToTime } from "./particulars.ts";
import type { Variant } from "./variant.ts";

/** A service whose company lacks most optional features. */
export const modest: Variant = {
  points: { "OPEN-72": "no area is listed", "OPEN-182": "there are no credentials but integrators'" },
  besides: [
    "credentials and stores are never closed, pairing codes never expire, no photos are taken",
    "its machine stands still now and then, just when an attempt was answered",
    "couriers' positions are reported from time to time",
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
    closesNoCredential,
    integratorsAlone,
    plainCodes,
    activeStores,
    listsNoArea,
    takesNoPhotos,
    heldUpNowAndThen,
    positionsFromTimeToTime,
  ),
};

/** A service whose couriers lack most optional features. */
export const plain: Variant = {
  points: { "OPEN-202": "a courier is assigned without an offer" },
  besides: [
    "no delivery fails or comes back, no courier tells a position, no company has prices, no credit is counted, and there is one company",
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
  mutate: compose(
    assignsUnasked,
    handsEverythingOver,
    seesNoCourier,
    hasNoPrices,
    countsNoCredit,
    oneCompany,
  ),
};
