/** Whether a pairing code may be redeemed (specification, Stores: single use, expiring). */
import type { ErrorCode } from "../errors.ts";

/** What there is to know of a code; `issued_at` is real time. */
export interface RedeemableCode {
  issued_at: number;
  used_at: number | null;
  expires_in_ms: number | null;
}

export interface Pairing {
  /** Why not; undefined where it may. `ageMs` is its age on the clock of whoever redeems it. */
  refusal(code: RedeemableCode, ageMs: number): ErrorCode | undefined;
}

export const pairing: Pairing = {
  refusal({ used_at, expires_in_ms }, ageMs) {
    if (used_at !== null) return "ESLEME_KODU_GECERSIZ";
    return expires_in_ms !== null && ageMs >= expires_in_ms ? "ESLEME_KODU_GECERSIZ" : undefined;
  },
};
