import { poll } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { BaseContext } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";

const POLL_INTERVAL_MS = 500;

/**
 * Repeats a request until its response is 401 or the timeout has passed, and returns the last response. How
 * soon a server must refuse the token of a closed credential is unspecified (OPEN-184).
 */
export async function waitForRefusal<Op extends OperationId>(
  send: () => Promise<ApiResponse<Op>>,
  { eventualTimeoutMs }: Pick<BaseContext, "eventualTimeoutMs">,
): Promise<ApiResponse<Op>> {
  const asRefusal = (response: ApiResponse<Op>) => (response.status === 401 ? response : undefined);
  const refused = await poll(async () => asRefusal(await send()), {
    within: eventualTimeoutMs,
    every: POLL_INTERVAL_MS,
  });
  return refused ?? send();
}
