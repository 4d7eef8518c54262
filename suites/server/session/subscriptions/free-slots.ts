import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isObject } from "../../../core/json.ts";
import type { CreatedResources } from "../created-resources.ts";

/** The maximum number of an integrator's active endpoints (specification, "Limits"). */
export const MAX_ACTIVE = 5;

/**
 * A registration that the target refused with ABONELIK_SINIRI although a slot was free, with the integrator's
 * known endpoints. Undefined for any other error.
 * @param integrators the check's integrators
 */
export function refusalDespiteFreeSlot(
  error: unknown,
  integrators: readonly { readonly created: CreatedResources }[],
): CheckFailure | CheckSkipped | undefined {
  if (!(error instanceof CheckFailure) || !error.exchange) return undefined;
  const { exchange } = error;
  const refusal = isObject(exchange.response?.json) ? exchange.response.json.error : undefined;
  if (!isObject(refusal) || refusal.code !== "ABONELIK_SINIRI") return undefined;
  const [places] = integrators.flatMap(({ created }) => created.countsAtRefusal(exchange) ?? []);
  if (!places || places.there >= MAX_ACTIVE) return undefined;
  if (places.isUncertain) {
    return new CheckSkipped(
      "an endpoint was refused as a sixth (ABONELIK_SINIRI), and there may be one more than is known: an earlier registration or deletion got no response",
    );
  }
  const { there, deleted } = places;
  return new CheckFailure(
    {
      ...error.mismatch,
      note: `this run had registered ${there + deleted} for the integrator and deleted ${deleted}; of ${MAX_ACTIVE} allowed, ${there} exist (closed endpoints and other integrators' endpoints must not count)`,
    },
    error,
  );
}
