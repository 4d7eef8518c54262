import type { ElementOf } from "../../../core/contract/element-sets.ts";
import type { ErrorMessages } from "../sandbox/error-messages.ts";

/** A fault that the sandbox injects into one request. */
export type Fault =
  | { readonly kind: "reset" }
  | { readonly kind: "lost-response" }
  | { readonly kind: "slow"; readonly seconds: number }
  | { readonly kind: "html"; readonly status: number }
  /** An error in the service's form. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly code: string;
      /** The kind of message, if it differs from the usual kind for the code. */
      readonly says?: keyof ErrorMessages;
      readonly details?: object;
      /** The nominal seconds in Retry-After. */
      readonly retryAfter?: number;
    }
  /**
   * The service accepts the order, but the client gets a refusal: the order's number is already in use by that
   * order's own delivery.
   */
  | { readonly kind: "taken-reference" }
  /** The service refuses the token with this code from now on. */
  | { readonly kind: "token-refusal"; readonly code: ElementOf<"codes-of-a-refused-token"> };

/** Describes an injected fault. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case "reset":
      return "connection reset before the request reaches the service";
    case "lost-response":
      return "forwarded and processed, connection closed before the response";
    case "slow":
      return `answered after ${fault.seconds} s`;
    case "html":
      return `${fault.status} with a page in HTML`;
    case "taken-reference":
      return "409 EXTERNAL_REF_TEKRAR with the existing delivery";
    case "token-refusal":
      return `401 ${fault.code}: the token is no longer accepted`;
    case "error":
      return `${fault.status} ${fault.code}${fault.retryAfter === undefined ? "" : `, retry-after ${fault.retryAfter}`}`;
  }
}

/** The Retry-After of rate limits in nominal seconds. It is longer than the first waits of a backoff. */
export const RETRY_AFTER_S = 6;

export const SERVER_ERROR = { kind: "error", status: 500, code: "SUNUCU_HATASI", says: "fault" } as const;

export const RATE_LIMIT = {
  kind: "error",
  status: 429,
  code: "HIZ_SINIRI",
  says: "busy",
  retryAfter: RETRY_AFTER_S,
} as const;

/** Refuses the token with this code. A new token is accepted. */
export const tokenRefusal = <const Code extends ElementOf<"codes-of-a-refused-token">>(code: Code) =>
  ({ kind: "token-refusal", code }) as const;

export const EXPIRED_TOKEN = tokenRefusal("SURESI_DOLDU");

/** A gateway's error page. */
export const htmlErrorPage = <const Status extends number>(status: Status) =>
  ({ kind: "html", status }) as const;

/** A permanent refusal. */
export const refusal = (status: number, code: string, details?: object) =>
  ({ kind: "error", status, code, says: "refusal", ...(details && { details }) }) as const;
