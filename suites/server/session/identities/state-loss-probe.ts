import { sendRequest } from "../../../core/http/connections.ts";
import { pathSegment } from "../../../core/http/path-segment.ts";
import type { OperationRecord } from "../http/operation-record.ts";
import type { Identity } from "./identity.ts";

/**
 * The number of integrators to test, starting with those that have the newest tokens. A single integrator
 * proves nothing, because its token may have expired early.
 */
const MAX_ASKED = 3;
/** Statuses that a target returns for an unknown token or store. */
const FORGOTTEN = [401, 403, 404];

const inUse = ({ freshToken, isRetired }: Identity): boolean => freshToken !== undefined && !isRetired;

/**
 * Tests whether a target still has its tokens and linked stores after an outage. Operations that never worked,
 * and requests without a response, prove nothing. Sends one request at a time, because the run may send
 * requests too.
 * @param least the number of unknown integrators that proves the loss
 */
export async function stateLossProbe(
  identities: readonly Identity[],
  operations: Pick<OperationRecord, "isServed">,
  baseUrl: string,
  least: number,
): Promise<boolean> {
  const asked = identities.filter(inUse).slice(-MAX_ASKED);
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
    const response = await sendRequest(connections, `${baseUrl}${path}`, { headers }, options).catch(
      () => undefined,
    );
    if (response && FORGOTTEN.includes(response.status)) return false;
  }
  return true;
}
