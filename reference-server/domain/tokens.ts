/** The validity of access tokens (specification, Authentication). */
import type { ErrorCode } from "../errors.ts";

/** The data of a token and its integrator. Times are on the integrator's clock. */
interface TokenHolder {
  expires_at: number;
  integrator: { id: string; closed_at: number | null };
}

export interface Tokens {
  /** The token of an Authorization header, or the error code. */
  read(header: string | undefined): { token: string } | { refusal: ErrorCode };
  /** The error code of an invalid token; undefined for a valid one. `now` is the integrator's time. */
  refusal(holder: TokenHolder, now: number): ErrorCode | undefined;
}

export const tokens: Tokens = {
  read(header) {
    if (header === undefined || header.trim() === "") return { refusal: "KIMLIK_YOK" };
    const match = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header);
    return match?.[1] === undefined ? { refusal: "GECERSIZ" } : { token: match[1] };
  },
  refusal(holder, now) {
    if (holder.integrator.closed_at !== null) return "OTURUM_GECERSIZ";
    return now >= holder.expires_at ? "SURESI_DOLDU" : undefined;
  },
};
