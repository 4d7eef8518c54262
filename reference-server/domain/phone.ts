/** Phone numbers in international form (specification, Delivery, `customer`). */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export interface Phone {
  /** The number with a leading plus. Unparsable text is kept unchanged. */
  international(text: string): string;
}

export const phone: Phone = {
  international(text) {
    // The library is loaded at the first number, to keep the start fast.
    const library: typeof import("awesome-phonenumber") = require("awesome-phonenumber");
    const { number } = library.parsePhoneNumber(text, { regionCode: "TR" });
    if (number !== undefined) return number.e164;
    // The library may reject short and special numbers (444 …, 0850 …), which are valid too.
    const digits = text.replace(/[\s().-]/g, "");
    if (/^00[1-9]\d{6,}$/.test(digits)) return `+${digits.slice(2)}`;
    if (/^0[1-9]\d{6,}$/.test(digits)) return `+90${digits.slice(1)}`;
    return text;
  },
};
