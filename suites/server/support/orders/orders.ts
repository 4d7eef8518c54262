import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import {
  deviation,
  dishName,
  mobileNumber,
  newReference,
  orderSum,
  personName,
  streetAddress,
} from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import type { PaymentCode } from "../../session/stores/payment-type.ts";

type NewDelivery = Schemas["NewDelivery"];

/** The target's values that an order needs. */
export interface OrderContext {
  readonly externalStoreId: string;
  readonly paymentType: PaymentCode;
  readonly point: Point;
}

/** Rounds to five decimals, the least precision that a server has to keep. */
export const toTheMetre = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/**
 * About 100 m in degrees, which is inside any service area. Its few multiples have a fifth decimal place, which a
 * server must not round off.
 */
const NEARBY_DEGREES = 0.001_04;

/** A point nearby, which every service area contains (OPEN-71). */
export const near = (point: Point, steps = 1): Point => ({
  lat: toTheMetre(point.lat + NEARBY_DEGREES * steps),
  lng: toTheMetre(point.lng + NEARBY_DEGREES * steps),
});

/** A point nearby whose distance varies by a third, so that orders differ. */
const pointNearby = (point: Point): Point => ({
  lat: near(point, 1 + deviation() / 3).lat,
  lng: near(point, 1 + deviation() / 3).lng,
});

/** A valid order with coordinates. Omitted fields are optional. */
export function newOrder(orderContext: OrderContext, overrides: Partial<NewDelivery> = {}): NewDelivery {
  const sum = orderSum();
  return {
    external_ref: newReference(),
    store: { external_store_id: orderContext.externalStoreId },
    customer: { name: personName(), phone: mobileNumber() },
    dropoff: { text: streetAddress(), ...pointNearby(orderContext.point) },
    payment: { type: orderContext.paymentType, amount_due: sum, prepaid: false },
    items: [{ name: dishName(), quantity: 1, total: sum }],
    ...overrides,
  };
}

/** An order without coordinates. Its delivery stays RECEIVED. */
export const withoutCoordinates = (order: NewDelivery): NewDelivery => ({
  ...order,
  dropoff: { text: order.dropoff.text },
});

const OFFSET_MS = 180 * 60_000;

/** A time in UTC, rounded down and written without a fraction. */
export const toTheSecond = (time: number): string => isoInstant(time - (time % 1000)).replace(".000", "");
/** The same instant with the offset of Istanbul. */
export const inIstanbul = (time: number): string => isoInstant(time + OFFSET_MS).replace("Z", "+03:00");
