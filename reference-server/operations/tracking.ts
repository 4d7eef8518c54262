import { DomainError } from "../errors.ts";
import type { PublicOperation } from "./operation.ts";

/** The customer's view of a delivery, by the key in its `tracking_url` (specification, Public tracking). */
export const getTracking: PublicOperation<"getTracking"> = async ({ parts, path }) => {
  const { deliveries, integrators, stores } = parts.records;
  const delivery = await deliveries.findByTrackingKey(parts.database, path.key);
  const integrator = delivery && (await integrators.findById(parts.database, delivery.integrator_id));
  const store = delivery && (await stores.findById(parts.database, delivery.store_id));
  if (!delivery || !integrator || !store) throw new DomainError("BULUNAMADI");
  const now = parts.clock.of(integrator, parts.clock.now());
  if (parts.tracking.closed(parts, delivery, now)) throw new DomainError("TAKIP_KAPANDI");
  return { status: 200, body: parts.views.tracking(parts, delivery, store) };
};
