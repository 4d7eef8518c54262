/**
 * Plays one delivery up to a kind of event, by the service's own operations and the couriers' moves: what is told of it is
 * what the service would tell. Simulated couriers leave it alone.
 */

import { moveCourier } from "../../reference-server/deliveries/courier-moves.ts";
import type { CourierAction } from "../../reference-server/domain/lifecycle.ts";
import type { DeliveryEventKind, Store } from "../../reference-server/domain/model.ts";
import { type Point, pointOf } from "../../reference-server/domain/places.ts";
import type { PrivateContext } from "../../reference-server/parts.ts";

const byHand = "sim: by hand";
/** Where a restaurant is that is linked for the purpose: in Moda, İstanbul. */
const kitchen = { lat: 40.9843, lng: 29.0256 };
/** Next door, so that it lies in any service area: about 300 m. */
const nextDoor = ({ lat, lng }: Point): Point => ({ lat: lat + 0.002, lng: lng + 0.002 });

const toTheDoor = ["offered", "assigned", "at_pickup", "picked_up", "en_route", "arrived"] as const;

/** What the courier does until the event of a kind is told, in order; nothing where it isn't a courier's. */
const courierWays: Record<DeliveryEventKind, readonly CourierAction[]> = {
  "delivery.created": [],
  "delivery.queued": [],
  "delivery.updated": [],
  "delivery.cancelled": [],
  "delivery.offered": toTheDoor.slice(0, 1),
  "delivery.assigned": toTheDoor.slice(0, 2),
  "delivery.at_pickup": toTheDoor.slice(0, 3),
  "delivery.picked_up": toTheDoor.slice(0, 4),
  "delivery.en_route": toTheDoor.slice(0, 5),
  "delivery.arrived": toTheDoor,
  "delivery.delivered": [...toTheDoor, "delivered"],
  "delivery.failed": [...toTheDoor, "failed"],
  "delivery.returning": [...toTheDoor, "returning"],
  "delivery.returned": [...toTheDoor, "returning", "returned"],
  "delivery.courier_location": [...toTheDoor.slice(0, 5), "courier_location"],
};

const nothing = { path: {}, query: {}, headers: {}, mediaType: undefined, body: undefined } as const;

/** Opens a delivery and takes it to where `kind` is told. Refusals of the service are thrown as they are. */
export async function playTo(context: PrivateContext, kind: DeliveryEventKind): Promise<void> {
  const { parts } = context;
  const store = await storeOf(context);
  const restaurant = pointOf(store) ?? kitchen;
  const door = nextDoor(restaurant);
  const external_ref = `deneme-${parts.ids.token().slice(-10)}`;
  const { body: delivery } = await parts.operations.createDelivery({
    ...context,
    ...nothing,
    mediaType: "application/json",
    headers: { "Idempotency-Key": external_ref },
    body: {
      external_ref,
      store: { external_store_id: store.external_store_id },
      customer: { name: "Ayşe Yılmaz", phone: "+905325550123" },
      dropoff: { text: "Bahariye Caddesi 8, Kadıköy", ...door },
      payment: { type: parts.paymentTypes[0]?.kod ?? "", amount_due: 245.5 },
      items: [{ name: "Mercimek çorbası", quantity: 2, total: 245.5 }],
      notes: byHand,
    },
  });
  const path = { id: delivery.id };
  const json = { ...context, ...nothing, path, mediaType: "application/json" } as const;
  if (kind === "delivery.updated") {
    await parts.operations.updateDelivery({ ...json, body: { notes: `${byHand}. Zile basmayın` } });
  }
  if (kind === "delivery.cancelled") {
    await parts.operations.cancelDelivery({ ...json, body: { reason: "Müşteri vazgeçti" } });
  }
  for (const action of courierWays[kind]) {
    const isOnTheWay = action === "en_route" || action === "courier_location";
    const failed = action === "failed" || action === "returning";
    await moveCourier(parts, delivery.id, {
      action,
      location: isOnTheWay || action === "arrived" ? door : restaurant,
      ...(failed && { reason: "Adreste kimse yok" }),
    });
  }
}

/** The integrator's oldest restaurant that takes orders, or one that is linked now. */
async function storeOf(context: PrivateContext): Promise<Store> {
  const { parts, integrator } = context;
  const open = async () =>
    (await parts.records.stores.list(parts.database, integrator.id)).find(
      (store) => store.status === "ACTIVE" && pointOf(store) !== null,
    );
  const known = await open();
  if (known !== undefined) return known;
  const issue = parts.controlOperations.issuePairingCode;
  const { body: code } = await issue({ ...nothing, parts, body: { courier_company: "Hızlı Kurye" } });
  await parts.operations.registerStore({
    ...context,
    ...nothing,
    mediaType: "application/json",
    body: {
      external_store_id: "deneme-mutfak",
      pairing_code: code.pairing_code,
      name: "Deneme Mutfak",
      address: { text: "Moda Caddesi 12, Kadıköy", ...kitchen },
    },
  });
  const linked = await open();
  if (linked === undefined) throw new Error("a restaurant that was linked isn't there");
  return linked;
}
