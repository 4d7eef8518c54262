import { sendRequest } from "../../../core/http/connections.ts";
import { pathSegment } from "../../../core/http/path-segment.ts";
import type { OperationRecord } from "../http/operation-record.ts";
import type { Identity } from "./identity.ts";

/**
 * Number of integrators to test: the latest, whose tokens are the youngest. One of them may be unknown for another
 * reason, and tokens that expire too early are a fault rather than a sign of lost data.
 */
const MOST_ASKED = 3;
/** Statuses of a target that no longer knows a token or a store. */
const FORGOTTEN = [401, 403, 404];

const inUse = ({ freshToken, isRetired }: Identity): boolean => freshToken !== undefined && !isRetired;

/**
 * Tests if a target that was away still has its tokens and linked stores. A target that kept them only in memory counts
 * as another one. Operations that it never served, and requests that it doesn't answer, prove nothing. One request is
 * under way at a time, since the run may send others too.
 * @param least number of forgotten integrators that is needed for a conclusion
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
