import type { OperationId } from "../../../core/contract/document.ts";
import { NoResponse } from "../../../core/grading/failures/failure.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";
import { textOf } from "../../../core/json.ts";
import { codeOf, isSuccess } from "../../../core/responses.ts";
import type { Api } from "../http/api.ts";
import type { ApiResponse } from "../http/api-response.ts";
import { retryAfterMs } from "../http/incoming-response.ts";

export type RemovableKind = "delivery" | "webhook";

/** The default wait in milliseconds before the next request. */
const RETRY_MS = 1_000;

/** An attempt that failed, but may succeed later. */
export interface Postponement {
  readonly is: "later";
  /** Why the object remains if there is no later attempt. */
  readonly why: string;
  readonly waitMs: number;
  /** What the wait is for, such as "for a limit". */
  readonly waits: string;
  /** True if a limit is the reason. A limit applies to all further requests. */
  readonly isLimit: boolean;
}

/** The result of an attempt to remove an object. */
export type Attempt =
  | Postponement
  | { readonly is: "undone" }
  /** The object no longer existed, or had already ended. */
  | { readonly is: "over" }
  /** The object is unknown, or the operation is missing. */
  | { readonly is: "not found" }
  | { readonly is: "left"; readonly why: string; readonly endsIdentity: boolean };

/** Cancels a delivery or deletes a webhook. Returns a 429 instead of waiting for the rate limit. */
export function undo(
  api: Api,
  kind: RemovableKind,
  id: string,
  token?: string,
): Promise<ApiResponse<"cancelDelivery" | "deleteWebhook">> {
  const options = { honourLimits: false, keepBudget: false, ...(token !== undefined && { token }) };
  return kind === "webhook"
    ? api.call("deleteWebhook", { path: { id } }, options)
    : api.cancelDelivery(id, undefined, options);
}

const describeRefusal = (response: ApiResponse<OperationId>): string => {
  const code = codeOf(response.raw);
  if (code === "KURYE_ALDI") return "the courier has the package (KURYE_ALDI)";
  if (response.status === 401)
    return "their token is no longer valid, because checks of tokens or credentials ended it";
  return `${response.exchange.operation} answered ${[response.status, code].filter(Boolean).join(" ")}`;
};

/** The reason of a temporary refusal. Undefined for any other response. */
export function laterOf(response: ApiResponse<OperationId>): Postponement | undefined {
  const { status, raw, exchange } = response;
  const { "retry-after": asked, "x-ratelimit-limit": limit } = raw.headers;
  const waitMs = retryAfterMs(asked) ?? RETRY_MS;
  if (status === 429) {
    const what = exchange.operation === "obtainToken" ? "new tokens" : "requests";
    const size =
      limit !== undefined && /^\d+$/.test(limit) ? `${Number(limit).toLocaleString("en-US")} ` : "";
    return {
      is: "later",
      why: "the target's rate limits would require a wait",
      waitMs,
      waits: `for the target's limit of ${size}${what} a minute`,
      isLimit: true,
    };
  }
  if (!isUnavailable(status)) return undefined;
  const waits = `because the target responded with ${status}`;
  return { is: "later", why: describeRefusal(response), waitMs, waits, isLimit: false };
}

export function attemptOf(response: ApiResponse<OperationId>): Attempt {
  if (isSuccess(response)) return { is: "undone" };
  if (codeOf(response.raw) === "SON_DURUM") return { is: "over" };
  if (response.status === 404) return { is: "not found" };
  const endsIdentity = response.status === 401 || response.status === 403;
  return laterOf(response) ?? { is: "left", why: describeRefusal(response), endsIdentity };
}

/** The result of an attempt without a response. */
export function attemptWithout(error: unknown): Attempt {
  const unanswered = error instanceof NoResponse;
  if (!unanswered) {
    const why = error instanceof Error ? error.message : textOf(error);
    return { is: "left", why, endsIdentity: false };
  }
  const why = "no response";
  if (error.exchange.isConnectionLost !== true) return { is: "left", why, endsIdentity: false };
  return { is: "later", why, waitMs: RETRY_MS, waits: "because connections broke", isLimit: false };
}
