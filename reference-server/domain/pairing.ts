/** The conditions for redeeming a pairing code (specification, Stores: single use, expiring). */
import type { ErrorCode } from "../errors.ts";

/** The fields that decide whether a pairing code can be redeemed. `issued_at` is real time. */
interface RedeemableCode {
  issued_at: number;
  used_at: number | null;
  expires_in_ms: number | null;
}

export interface Pairing {
  /**
   * The refusal, or undefined if the code is valid. `ageMs` is its age on the redeeming integrator's clock.
   */
  refusal(code: RedeemableCode, ageMs: number): ErrorCode | undefined;
}

export const pairing: Pairing = {
  refusal({ used_at, expires_in_ms }, ageMs) {
    if (used_at !== null) return "ESLEME_KODU_GECERSIZ";
    return expires_in_ms !== null && ageMs >= expires_in_ms ? "ESLEME_KODU_GECERSIZ" : undefined;
  },
};
