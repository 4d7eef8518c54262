/** Which access tokens are taken (specification, Authentication). */
import type { ErrorCode } from "../errors.ts";

/** What there is to know of a token and whose it is. Times on the holder's clock. */
interface TokenHolder {
  expires_at: number;
  integrator: { id: string; closed_at: number | null };
}

export interface Tokens {
  /** The token of an Authorization header, or why there is none. */
  read(header: string | undefined): { token: string } | { refusal: ErrorCode };
  /** Why a token isn't taken; undefined where it is. `now` is its holder's time. */
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
