import type { Schemas } from "../../../core/contract/document.ts";

type Items = NonNullable<Schemas["NewDelivery"]["items"]>;

/**
 * Multiplied by 100, most of these amounts are floating-point numbers just below a whole number: truncation
 * loses a kuruş.
 */
export const INEXACT_AMOUNTS = [0.29, 0.57, 1.13, 4.35, 19.99, 1.1];

/** In single precision, and multiplied by 100, it is another amount. */
export const LARGE_AMOUNT = 4_871.69;

/** More than 50 characters, but not more than 60 bytes, because no maximum length is specified (OPEN-127). */
const LONG_NAME = "Adana kebap, lavaş, közlenmiş biber, ezme ve ayranla";

/** Several items, of one order or of two, may have one code, for example if only their options differ. */
const code = "MZ-1";

/** Lists of items that reveal common mistakes. */
export const TELLING_ITEM_LISTS: readonly Items[] = [
  INEXACT_AMOUNTS.map((total, line) => ({ name: `Meze ${line + 1}`, quantity: 1, total, code })),
  [{ name: LONG_NAME, quantity: 1, total: 1, code }],
  [
    { name: "Adana Dürüm", quantity: 1, total: 180 },
    { name: "İkram Ayran", quantity: 1, total: 0 },
    { name: "Düğün Çorbası", quantity: 150, total: LARGE_AMOUNT },
  ],
];
