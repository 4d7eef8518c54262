import * as fc from "fast-check";
import { isoInstant } from "../../core/clock.ts";
import type { Schemas } from "../../core/contract/document.ts";
import {
  deviation,
  dishName,
  mobileNumber,
  newReference,
  orderSum,
  personName,
  streetAddress,
} from "../session/sample-data/sample-data.ts";
import type { Point } from "../session/sample-data/settings.ts";
import type { PaymentCode } from "../session/stores/stores.ts";

type NewDelivery = Schemas["NewDelivery"];

/** The values of the target that an order needs. */
export interface OrderContext {
  readonly externalStoreId: string;
  readonly paymentType: PaymentCode;
  readonly point: Point;
}

/** Degrees to five decimals: a server may well keep no more of them. */
export const toTheMetre = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** About 100 m, in degrees: near enough for any service area. */
const NEARBY = 0.001;

/** A point a short walk away, which every service area contains (OPEN-71). */
export const near = (point: Point, steps = 1): Point => ({
  lat: toTheMetre(point.lat + NEARBY * steps),
  lng: toTheMetre(point.lng + NEARBY * steps),
});

/** The same distance, give or take a third of it: not all orders go to one door. */
const aroundTheCorner = (point: Point): Point => ({
  lat: near(point, 1 + deviation() / 3).lat,
  lng: near(point, 1 + deviation() / 3).lng,
});

/** A valid order with coordinates. The fields that it leaves out are optional. */
export function newOrder(orderContext: OrderContext, overrides: Partial<NewDelivery> = {}): NewDelivery {
  const sum = orderSum();
  return {
    external_ref: newReference(),
    store: { external_store_id: orderContext.externalStoreId },
    customer: { name: personName(), phone: mobileNumber() },
    dropoff: { text: streetAddress(), ...aroundTheCorner(orderContext.point) },
    payment: { type: orderContext.paymentType, amount_due: sum, prepaid: false },
    items: [{ name: dishName(), quantity: 1, total: sum }],
    ...overrides,
  };
}

/** The same order with an address but no coordinates: it is RECEIVED and waits for them. */
export const withoutCoordinates = (order: NewDelivery): NewDelivery => ({
  ...order,
  dropoff: { text: order.dropoff.text },
});

const LETTERS = "abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789-.,";

/** Real names and addresses aren't shorter than this, and a server may refuse shorter ones (OPEN-127). */
const SHORTEST = 5;

/**
 * Text as people write it, without characters whose trimming or normalising is open.
 * @param longest in bytes, the shortest reading of what a character is (OPEN-30)
 */
export const textUpTo = (longest: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...LETTERS), { minLength: SHORTEST, maxLength: Math.floor(longest / 2) })
    .map((letters) => letters.join(""));

/** Positive sums with at most two decimal places (OPEN-41). */
export const amounts: fc.Arbitrary<number> = fc.integer({ min: 1, max: 500_000 }).map((kurus) => kurus / 100);

/** Positive quantities with at most three decimal places (LIMIT-27). */
const quantities: fc.Arbitrary<number> = fc
  .integer({ min: 1, max: 20_000 })
  .map((thousandths) => thousandths / 1000);

/**
 * Amounts to collect at the door, with the amounts that are shown. The three agree, since the effect of sums that don't
 * is open (OPEN-44).
 */
export const paymentsOnDelivery = fc
  .record({ due: amounts, discount: fc.option(amounts, { nil: undefined }) })
  .map(({ due, discount }) => ({
    amount_due: due,
    prepaid: false,
    ...(discount !== undefined && { discount, subtotal: Math.round((due + discount) * 100) / 100 }),
  }));

/** The most digits of an extension (LIMIT-24). */
const LONGEST_EXTENSION = 20;

/** An extension as callers dial it: digits, of which leading zeros count. */
const extensions: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(..."0123456789"), { minLength: 1, maxLength: LONGEST_EXTENSION })
  .map((digits) => digits.join(""));

export const itemLists: fc.Arbitrary<NonNullable<NewDelivery["items"]>> = fc.array(
  fc.record(
    { name: textUpTo(60), quantity: quantities, total: amounts, code: textUpTo(20) },
    { requiredKeys: ["name", "quantity", "total"] },
  ),
  { minLength: 1, maxLength: 6 },
);

const MOBILES = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `532${String(n).padStart(7, "0")}`);

/** Mobile numbers in national and in international form (OPEN-45). */
const phones = fc.tuple(fc.constantFrom("0", "+90"), MOBILES).map((parts) => parts.join(""));

const MINUTE_MS = 60_000;

/** Times from some minutes ahead to some hours, all well within what may be scheduled (LIMIT-28). */
const later = (now: number) =>
  fc.integer({ min: 30, max: 6 * 60 }).map((minutes) => isoInstant(now + minutes * MINUTE_MS));

/** Steps of a metre, the fifth decimal: at most a hundred metres from the point, which every service area holds. */
const coordinate = (middle: number) =>
  fc.integer({ min: -70, max: 70 }).map((steps) => toTheMetre(middle + steps / 1e5));

/** The generated fields of an order. The accepted values of origin_channel are open (OPEN-48). */
type GeneratedField = Exclude<keyof NewDelivery, "external_ref" | "store" | "origin_channel">;

/**
 * Generates orders that the specification allows, paid at the door and without open points. The caller adds a
 * reference: the same order sent again, as shrinking does, needs another.
 * @param now the integrator's time, for orders that name times
 */
export function orders(
  orderContext: OrderContext,
  now: number,
): fc.Arbitrary<Omit<NewDelivery, "external_ref">> {
  return fc
    .record(
      {
        customer: fc.record(
          { name: textUpTo(60), phone: phones, phone_extension: extensions, note: textUpTo(500) },
          { requiredKeys: ["name", "phone"] },
        ),
        dropoff: fc.record(
          {
            text: textUpTo(120),
            directions: textUpTo(80),
            neighborhood: textUpTo(40),
            district: textUpTo(40),
            city: textUpTo(40),
            lat: coordinate(orderContext.point.lat),
            lng: coordinate(orderContext.point.lng),
          },
          { requiredKeys: ["text", "lat", "lng"] },
        ),
        payment: paymentsOnDelivery,
        items: itemLists,
        package_count: fc.integer({ min: 1, max: 20 }),
        ready_at: later(now),
        scheduled_for: later(now).map((time) => isoInstant(Date.parse(time) + 6 * 60 * MINUTE_MS)),
        notes: fc.oneof(
          textUpTo(500),
          textUpTo(400).map((text) => `${text} 🍲👩‍🍳`),
        ),
        require_pin: fc.boolean(),
        test: fc.constant(false),
      } satisfies Record<GeneratedField, fc.Arbitrary<unknown>>,
      { requiredKeys: ["customer", "dropoff", "payment", "items"] },
    )
    .map((order) => ({
      ...order,
      store: { external_store_id: orderContext.externalStoreId },
      payment: { ...order.payment, type: orderContext.paymentType },
    }));
}
