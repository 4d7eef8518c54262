import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { Point } from "./check.ts";
import type { Schemas } from "./target/api.ts";
import type { PaymentCode } from "./target/stores.ts";

type NewDelivery = Schemas["NewDelivery"];

/** What an order needs to know of the target. */
export interface Ground {
  readonly externalStoreId: string;
  readonly paymentType: PaymentCode;
  readonly point: Point;
}

/** A reference of the plainest kind: ASCII letters, digits and dashes, at most 40 (OPEN-29). */
export const freshReference = (): string => `c-${randomUUID()}`;

/** About 100 m, in degrees: near enough for any service area. */
const NEARBY = 0.001;

/** A point a short walk away: no service area is so small that it lies outside (OPEN-71). */
export const near = (point: Point, steps = 1): Point => ({
  lat: point.lat + NEARBY * steps,
  lng: point.lng + NEARBY * steps,
});

/** A valid order with coordinates: what it leaves out, the specification leaves optional. */
export function anOrder(ground: Ground, overrides: Partial<NewDelivery> = {}): NewDelivery {
  return {
    external_ref: freshReference(),
    store: { external_store_id: ground.externalStoreId },
    customer: { name: "Ayşe Yılmaz", phone: "05321234567" },
    dropoff: { text: "Uyum Sokak 5, Fatih, İstanbul", ...near(ground.point) },
    payment: { type: ground.paymentType, amount_due: 249.9, prepaid: false },
    items: [{ name: "Mercimek çorbası", quantity: 1, total: 249.9 }],
    ...overrides,
  };
}

/** The same order, its place given by words alone: it is RECEIVED and waits for its coordinates. */
export const withoutCoordinates = (order: NewDelivery): NewDelivery => ({
  ...order,
  dropoff: { text: order.dropoff.text },
});

/** Text as people write it, without characters whose trimming or normalising is open. */
const words = (longest: number) =>
  fc
    .array(
      fc.constantFrom(..."abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789-.,".split("")),
      {
        minLength: 1,
        maxLength: Math.floor(longest / 2),
      },
    )
    .map((letters) => letters.join(""));

const money = fc.integer({ min: 1, max: 500_000 }).map((kurus) => kurus / 100);
const quantity = fc.integer({ min: 1, max: 20_000 }).map((thousandths) => thousandths / 1000);

const item = fc.record({ name: words(60), quantity, total: money });

/** Any order that the specification allows, away from what it leaves open; each has a reference of its own. */
export function orders(ground: Ground): fc.Arbitrary<NewDelivery> {
  return fc
    .record(
      {
        customer: fc.record(
          {
            name: words(60),
            phone: fc.integer({ min: 0, max: 9_999_999 }).map((n) => `0532${String(n).padStart(7, "0")}`),
            phone_extension: fc.integer({ min: 1, max: 999_999 }).map(String),
            note: words(500),
          },
          { requiredKeys: ["name", "phone"] },
        ),
        dropoff: fc.record(
          {
            text: words(120),
            directions: words(80),
            lat: fc.integer({ min: 1, max: 900 }).map((step) => ground.point.lat + step / 1_000_000),
            lng: fc.integer({ min: 1, max: 900 }).map((step) => ground.point.lng + step / 1_000_000),
          },
          { requiredKeys: ["text", "lat", "lng"] },
        ),
        payment: fc.record(
          { amount_due: money, prepaid: fc.constant(false), subtotal: money, discount: money },
          { requiredKeys: ["amount_due", "prepaid"] },
        ),
        items: fc.array(item, { minLength: 1, maxLength: 6 }),
        package_count: fc.integer({ min: 1, max: 20 }),
        notes: words(500),
        require_pin: fc.boolean(),
      },
      { requiredKeys: ["customer", "dropoff", "payment", "items"] },
    )
    .map((order) => ({
      ...order,
      external_ref: freshReference(),
      store: { external_store_id: ground.externalStoreId },
      payment: { ...order.payment, type: ground.paymentType },
    }));
}
