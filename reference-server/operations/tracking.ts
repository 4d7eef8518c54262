import { DomainError } from "../errors.ts";
import type { PublicOperation } from "./operation.ts";

/** The customer's view of a delivery, by the key in its `tracking_url` (specification, Public tracking). */
export const getTracking: PublicOperation<"getTracking"> = async ({ deps, path }) => {
  const { deliveries, integrators, stores } = deps.records;
  const delivery = await deliveries.findByTrackingKey(deps.database, path.key);
  const integrator = delivery && (await integrators.findById(deps.database, delivery.integrator_id));
  const store = delivery && (await stores.findById(deps.database, delivery.store_id));
  if (!delivery || !integrator || !store) throw new DomainError("BULUNAMADI");
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  if (deps.tracking.closed(deps, delivery, now)) throw new DomainError("TAKIP_KAPANDI");
  return { status: 200, body: deps.views.tracking(deps, delivery, store) };
};
