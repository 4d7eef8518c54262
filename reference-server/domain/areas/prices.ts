/** The fee of a delivery (specification, Delivery: `fee` without VAT, from the distance at its creation). */
import type { Fee, PriceTable } from "../model.ts";

export interface Prices {
  /** The fee for a road distance; null without a price table. */
  fee(table: PriceTable | null, roadKm: number): Fee | null;
}

export const prices: Prices = {
  fee(table, roadKm) {
    if (table === null) return null;
    const amount = table.base + table.per_km * roadKm;
    return {
      amount: Math.round(amount * 100) / 100,
      currency: table.currency,
      vat_included: table.vat_included,
    };
  },
};
