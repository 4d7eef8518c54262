import { sendRequest } from "../../core/http/connections.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import type { Identity } from "./identity.ts";
import type { OperationRecord } from "./operation-record.ts";

/**
 * Whether a target that was away still knows the tokens that it gave out and the stores that were linked: one that kept
 * them in memory alone is another one now. What it never served says nothing of that.
 */
export async function stillKnows(
  identities: readonly Identity[],
  operations: Pick<OperationRecord, "isServed">,
  baseUrl: string,
): Promise<boolean> {
  const known = identities.find(({ freshToken, isRetired }) => freshToken !== undefined && !isRetired);
  if (!known) return true;
  const [store] = known.created.stores;
  const paths = [
    ...(operations.isServed("listPaymentTypes") ? ["/v1/payment-types"] : []),
    ...(operations.isServed("getStore") && store !== undefined ? [`/v1/stores/${pathSegment(store)}`] : []),
  ];
  const { connections, totalTimeoutMs } = known.address;
  const headers = { authorization: `Bearer ${known.freshToken}`, accept: "application/json" };
  const answers = paths.map((path) =>
    sendRequest(connections, `${baseUrl}${path}`, { headers }, { timeoutMs: totalTimeoutMs, fresh: true }),
  );
  const settled = await Promise.allSettled(answers);
  return settled.every((one) => one.status === "fulfilled" && one.value.status === 200);
}
