import { sendRequest } from "../../../core/http/connections.ts";
import { pathSegment } from "../../../core/http/path-segment.ts";
import type { OperationRecord } from "../disruptions/operation-record.ts";
import type { Identity } from "./identity.ts";

/**
 * As many identities are asked for, the latest, whose tokens are the youngest: one of them may be known no longer for a
 * reason of its own, and tokens that end too early are a fault and no sign of a memory that was lost.
 */
const MOST_ASKED = 3;
/** How a target answers that knows a token, or a store, no longer. */
const FORGOTTEN = [401, 403, 404];

const inUse = ({ freshToken, isRetired }: Identity): boolean => freshToken !== undefined && !isRetired;

/**
 * Whether a target that was away still knows the tokens that it gave out and the stores that were linked: one that kept
 * them in memory alone is another one now. What it never served says nothing of that, nor does what it doesn't answer. One
 * request is under way at a time, since others of the run may be too.
 * @param least of fewer identities that are known no longer nothing is concluded
 */
export async function stateLossProbe(
  identities: readonly Identity[],
  operations: Pick<OperationRecord, "isServed">,
  baseUrl: string,
  least: number,
): Promise<boolean> {
  const asked = identities.filter(inUse).slice(-MOST_ASKED);
  if (asked.length < least) return true;
  for (const one of asked) {
    if (await isKnown(one, operations, baseUrl)) return true;
  }
  return false;
}

async function isKnown(
  { address, created, freshToken }: Identity,
  operations: Pick<OperationRecord, "isServed">,
  baseUrl: string,
): Promise<boolean> {
  const [store] = created.stores;
  const paths = [
    ...(operations.isServed("listPaymentTypes") ? ["/v1/payment-types"] : []),
    ...(operations.isServed("getStore") && store !== undefined ? [`/v1/stores/${pathSegment(store)}`] : []),
  ];
  const { connections, totalTimeoutMs } = address;
  const headers = { authorization: `Bearer ${freshToken}`, accept: "application/json" };
  const options = { timeoutMs: totalTimeoutMs, fresh: true };
  for (const path of paths) {
    const answer = await sendRequest(connections, `${baseUrl}${path}`, { headers }, options).catch(
      () => undefined,
    );
    if (answer && FORGOTTEN.includes(answer.status)) return false;
  }
  return true;
}
