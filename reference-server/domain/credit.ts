/**
 * The credit (kontör) that deliveries consume: one unit for each delivery, none for a test delivery, refunded on cancellation.
 */
import type { Delivery } from "./model.ts";

export interface Credit {
  /** The credit that a creation consumes. */
  opening(delivery: Delivery): number;
  /** The change of credit by a cancellation: negative, because it is a refund. */
  cancelling(delivery: Delivery): number;
}

export const credit: Credit = {
  opening: ({ test }) => (test ? 0 : 1),
  cancelling: ({ test }) => (test ? 0 : -1),
};
