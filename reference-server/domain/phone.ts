/** Telephone numbers in international form (specification, Delivery, `customer`). */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export interface Phone {
  /** The number with a leading plus; what can't be read as a number is kept as it was sent. */
  international(text: string): string;
}

export const phone: Phone = {
  international(text) {
    // The world's numbering plans are loaded when the first number is read: a start needs none of them.
    const library: typeof import("awesome-phonenumber") = require("awesome-phonenumber");
    const { number } = library.parsePhoneNumber(text, { regionCode: "TR" });
    if (number !== undefined) return number.e164;
    // Short and special numbers (444 …, 0850 …) may be no numbers to the library, and are still to be dialled.
    const digits = text.replace(/[\s().-]/g, "");
    if (/^00[1-9]\d{6,}$/.test(digits)) return `+${digits.slice(2)}`;
    if (/^0[1-9]\d{6,}$/.test(digits)) return `+90${digits.slice(1)}`;
    return text;
  },
};
