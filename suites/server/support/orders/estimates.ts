import { expectNoEarlier, instantIn } from "../shown-values.ts";
import { ROUNDING_MS } from "./deliveries.ts";

/** The estimated times of a delivery or a quote. */
interface Estimates {
  readonly eta_pickup_at?: string | null;
  readonly eta_dropoff_at?: string | null;
}

/**
 * Asserts that the drop-off isn't estimated before the pick-up. A server may know neither time, or only one.
 * @param whose for example `of a quote`
 */
export function expectEstimatesInOrder({ eta_pickup_at, eta_dropoff_at }: Estimates, whose: string): void {
  if (!eta_pickup_at || !eta_dropoff_at) return;
  expectNoEarlier(eta_dropoff_at, instantIn(eta_pickup_at, "eta_pickup_at") - ROUNDING_MS, {
    field: "eta_dropoff_at",
    where: `${whose}, with an eta_pickup_at of ${eta_pickup_at}`,
  });
}
