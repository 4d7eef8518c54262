/** The credit (kontör) of deliveries: one each, none for a trial, refunded on cancellation. */
import type { Delivery } from "./model.ts";

export interface Credit {
  /** The credit for creating it. */
  opening(delivery: Delivery): number;
  /** The credit for cancelling it. A refund is negative. */
  cancelling(delivery: Delivery): number;
}

export const credit: Credit = {
  opening: ({ test }) => (test ? 0 : 1),
  cancelling: ({ test }) => (test ? 0 : -1),
};
