/** What deliveries cost in credit (kontör): one each, nothing for trials, given back on cancellation. */
import type { Delivery } from "./model.ts";

export interface Credit {
  /** Consumed when it is opened. */
  opening(delivery: Delivery): number;
  /** Consumed (negative: given back) when it is cancelled. */
  cancelling(delivery: Delivery): number;
}

export const credit: Credit = {
  opening: ({ test }) => (test ? 0 : 1),
  cancelling: ({ test }) => (test ? 0 : -1),
};
