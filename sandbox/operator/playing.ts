/**
 * Simulates one delivery up to an event type, with the service's operations and courier actions, so that its
 * events are the service's own. Simulated couriers don't move this delivery.
 */

import type { operations as Operations } from "../../openapi/generated/courier-dispatch.ts";
import type { RawInput } from "../../reference-server/contract/calls.ts";
import type { JsonObject } from "../../reference-server/contract/json.ts";
import { type Route, routesOf } from "../../reference-server/contract/routes.ts";
import { moveCourier } from "../../reference-server/deliveries/courier-moves.ts";
import type { AuthenticatedContext, Dependencies } from "../../reference-server/dependencies.ts";
import type { CourierAction } from "../../reference-server/domain/lifecycle.ts";
import type { Delivery, DeliveryEventKind, Status, Store } from "../../reference-server/domain/model.ts";
import { type Point, pointOf } from "../../reference-server/domain/places.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { checkInput } from "../../reference-server/http/validation.ts";
import type { Sandbox } from "../state.ts";
import { type OwnFields, withOwnFields } from "./own-fields.ts";

const byHand = "sim: by hand";
/** The location of the restaurant that a simulated delivery links: in Moda, İstanbul. */
const kitchen = { lat: 40.9843, lng: 29.0256 };
/** About 300 m away, inside any service area. */
const nearby = ({ lat, lng }: Point): Point => ({ lat: lat + 0.002, lng: lng + 0.002 });

const toTheDoor = ["offered", "assigned", "at_pickup", "picked_up", "en_route", "arrived"] as const;

/** The courier actions up to an event type, in order, for the types that a courier causes. */
const courierWays: Partial<Record<DeliveryEventKind, readonly CourierAction[]>> = {
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

/** The courier actions up to each state. */
const actionsBefore: Partial<Record<Status, readonly CourierAction[]>> = {
  OFFERED: toTheDoor.slice(0, 1),
  ASSIGNED: toTheDoor.slice(0, 2),
  AT_PICKUP: toTheDoor.slice(0, 3),
  PICKED_UP: toTheDoor.slice(0, 4),
  EN_ROUTE: toTheDoor.slice(0, 5),
  ARRIVED: toTheDoor,
  RETURNING: [...toTheDoor, "returning"],
};

const nothing = { path: {}, query: {}, headers: {}, mediaType: undefined, body: undefined } as const;

interface Play extends OwnFields {
  readonly kind: DeliveryEventKind;
  /** The order number of an existing or a new delivery, or the id of an existing delivery. */
  readonly order?: string;
}

/** Moves a delivery to the state of the event. Throws the service's errors. */
export async function playTo(
  context: AuthenticatedContext,
  { simulator }: Sandbox,
  play: Play,
): Promise<void> {
  const { deps, integrator } = context;
  const known = play.order === undefined ? undefined : await findDelivery(context, play.order);
  const before = known ?? (await opened(context, play));
  simulator?.leave(deps, before.id);
  const store = await deps.records.stores.findById(deps.database, before.store_id);
  const restaurant = (store && pointOf(store)) ?? kitchen;
  const door = before.dropoff.point ?? nearby(restaurant);
  const hasFields = play.data !== undefined || play.set !== undefined;
  const done = actionsBefore[before.status] ?? [];
  const actions = (courierWays[play.kind] ?? []).filter((action) => !done.includes(action));
  const isByIntegrator = play.kind === "delivery.updated" || play.kind === "delivery.cancelled";
  if (known !== undefined && actions.length === 0 && !isByIntegrator)
    throw new DomainError("DURUM_UYGUN_DEGIL");
  const path = { id: before.id };
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  const json = { ...context, ...nothing, now, path, mediaType: "application/json" } as const;
  if (play.kind === "delivery.updated" || (known !== undefined && hasFields)) {
    const base = hasFields && known !== undefined ? {} : { notes: `${byHand}. Zile basmayın` };
    await deps.operations.updateDelivery({
      ...json,
      body: changeOf(context, path, base, known ? play : {}),
    });
  }
  if (play.kind === "delivery.cancelled") {
    await deps.operations.cancelDelivery({ ...json, body: { reason: "Müşteri vazgeçti" } });
  }
  for (const action of actions) {
    const isOnTheWay = action === "en_route" || action === "courier_location";
    const failed = action === "failed" || action === "returning";
    await moveCourier(deps, before.id, {
      action,
      location: isOnTheWay || action === "arrived" ? door : restaurant,
      ...(failed && { reason: "Adreste kimse yok" }),
    });
  }
}

/** The integrator's delivery with this id or order number. If several restaurants have the order number, the latest delivery. */
async function findDelivery(
  { deps, integrator }: AuthenticatedContext,
  order: string,
): Promise<Delivery | undefined> {
  const { deliveries, stores } = deps.records;
  const byId = await deliveries.find(deps.database, integrator.id, order);
  if (byId !== undefined) return byId;
  const found: Delivery[] = [];
  for (const { id } of await stores.list(deps.database, integrator.id)) {
    const delivery = await deliveries.findByRef(deps.database, integrator.id, id, order);
    if (delivery !== undefined) found.push(delivery);
  }
  return found.toSorted((one, other) => other.created_at - one.created_at)[0];
}

/** Creates a delivery with these fields. */
async function opened(context: AuthenticatedContext, { order, ...fields }: Play): Promise<Delivery> {
  const { deps, integrator } = context;
  const store = await storeOf(context);
  const base = {
    external_ref: order ?? `deneme-${deps.ids.token().slice(-10)}`,
    store: { external_store_id: store.external_store_id },
    customer: { name: "Ayşe Yılmaz", phone: "+905325550123" },
    dropoff: { text: "Bahariye Caddesi 8, Kadıköy", ...nearby(pointOf(store) ?? kitchen) },
    payment: { type: deps.paymentTypes[0]?.kod ?? "", amount_due: 245.5 },
    items: [{ name: "Mercimek çorbası", quantity: 2, total: 245.5 }],
    notes: byHand,
  };
  const input: RawInput = {
    ...nothing,
    mediaType: "application/json",
    headers: { "Idempotency-Key": `deneme-${deps.ids.token()}` },
    body: withOwnFields(deps.document, "NewDelivery", base, fields),
  };
  checkInput<Operations["createDelivery"]>(deps.document, routeOf(deps, "createDelivery"), input, context);
  const { body } = await deps.operations.createDelivery({ ...context, ...input });
  const delivery = await deps.records.deliveries.find(deps.database, integrator.id, body.id);
  if (delivery === undefined) throw new Error("the created delivery doesn't exist");
  return delivery;
}

function changeOf(context: AuthenticatedContext, path: { id: string }, base: JsonObject, fields: OwnFields) {
  const { deps } = context;
  const body = withOwnFields(deps.document, "DeliveryChange", base, fields);
  const input: RawInput = { ...nothing, path, mediaType: "application/json", body };
  checkInput<Operations["updateDelivery"]>(deps.document, routeOf(deps, "updateDelivery"), input, context);
  return input.body;
}

function routeOf({ document }: Dependencies, operationId: keyof Operations): Route {
  const route = routesOf(document).find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(`the document has no ${operationId}`);
  return route;
}

/** The integrator's oldest active restaurant, or a newly linked restaurant. */
async function storeOf(context: AuthenticatedContext): Promise<Store> {
  const { deps, integrator } = context;
  const open = async () =>
    (await deps.records.stores.list(deps.database, integrator.id)).find(
      (store) => store.status === "ACTIVE" && pointOf(store) !== null,
    );
  const known = await open();
  if (known !== undefined) return known;
  const issue = deps.controlOperations.issuePairingCode;
  const { body: code } = await issue({ ...nothing, deps, body: { courier_company: "Hızlı Kurye" } });
  await deps.operations.registerStore({
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
  if (linked === undefined) throw new Error("the linked restaurant doesn't exist");
  return linked;
}
