import * as fc from "fast-check";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { random } from "../../session/sample-data/drawn.ts";
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
import type { PaymentCode } from "../../session/stores/stores.ts";

type NewDelivery = Schemas["NewDelivery"];

/** The target's values that an order needs. */
export interface OrderContext {
  readonly externalStoreId: string;
  readonly paymentType: PaymentCode;
  readonly point: Point;
}

/** Rounds to five decimals, the least precision that a server has to keep. */
export const toTheMetre = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** About 100 m in degrees, which is inside any service area. */
const NEARBY_DEGREES = 0.001;

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

const letters = fc.constantFrom(..."abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789");
const marks = fc.constantFrom(" ", "  ", ...`-.,:;!?'"&<>()/\\`);

/** A server may refuse shorter names and addresses (OPEN-127). */
const MIN_TEXT_LENGTH = 5;

/** Bytes of the emoji in a text. */
const MOST_EMOJI_BYTES = 16;

/**
 * Text without characters whose trimming or normalisation is unspecified: it begins and ends in letters. Half of the
 * texts with room for it have an emoji.
 * @param longest the maximum length in bytes, the strictest reading of a character (OPEN-30)
 */
export const textUpTo = (longest: number): fc.Arbitrary<string> => {
  const room = longest - MOST_EMOJI_BYTES;
  const inner = fc.array(fc.oneof({ weight: 6, arbitrary: letters }, marks), {
    minLength: MIN_TEXT_LENGTH - 2,
    maxLength: Math.floor((room > MOST_EMOJI_BYTES ? room : longest) / 2) - 2,
    // Otherwise hardly any text has over twenty letters.
    size: "max",
  });
  const emoji = room > MOST_EMOJI_BYTES ? fc.constantFrom("", "🍲👩‍🍳") : fc.constant("");
  return fc
    .tuple(letters, inner, emoji, letters)
    .map(([first, middle, picture, last]) => `${first}${middle.join("")}${picture}${last}`);
};

/** Positive sums with at most two decimal places (OPEN-41), whole ones among them. */
export const amounts: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 500_000 }).map((kurus) => kurus / 100) },
  fc.integer({ min: 1, max: 5_000 }),
);

/** Positive quantities with at most three decimal places (LIMIT-27), whole ones among them. */
const quantities: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 20_000 }).map((thousandths) => thousandths / 1000),
  fc.integer({ min: 1, max: 99 }),
);

/** Payments on delivery whose amounts agree. The effect of other amounts is unspecified (OPEN-44). */
export const paymentsOnDelivery = fc
  .record({ due: amounts, discount: fc.option(amounts, { nil: undefined }) })
  .map(({ due: expected, discount }) => ({
    amount_due: expected,
    prepaid: false,
    ...(discount !== undefined && { discount, subtotal: Math.round((expected + discount) * 100) / 100 }),
  }));

/** The maximum length of an extension (LIMIT-24). */
const LONGEST_EXTENSION = 20;

/** An extension of digits with significant leading zeros. */
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

/** Mobile numbers in national and international form (OPEN-45). */
const phones = fc.tuple(fc.constantFrom("0", "+90"), MOBILES).map((parts) => parts.join(""));

const MINUTE_MS = 60_000;
const OFFSET_MS = 180 * MINUTE_MS;

/** A time in UTC, rounded down and written without a fraction. */
export const toTheSecond = (time: number): string => isoInstant(time - (time % 1000)).replace(".000", "");
/** The same instant with the offset of Istanbul. */
export const inIstanbul = (time: number): string => isoInstant(time + OFFSET_MS).replace("Z", "+03:00");

/** Notations of a time (RFC 3339). */
const NOTATIONS: readonly ((time: number) => string)[] = [isoInstant, toTheSecond, inIstanbul];

/** Times within these minutes in any of the notations of a time: with milliseconds, without, and with an offset. */
const timesWithin = (now: number, min: number, max: number): fc.Arbitrary<string> =>
  fc
    .record({ minutes: fc.integer({ min, max }), write: fc.constantFrom(...NOTATIONS) })
    .map(({ minutes, write }) => write(now + minutes * MINUTE_MS));

const DAY_MINUTES = 24 * 60;
/** Any time of the next day. */
const readyTimes = (now: number) => timesWithin(now, 30, DAY_MINUTES);

/** A coordinate in steps of about a metre, within a hundred metres of the point. */
const coordinate = (middle: number) =>
  fc.integer({ min: -70, max: 70 }).map((steps) => toTheMetre(middle + steps / 1e5));

/** Notes of one line or of two. */
const notes = fc.oneof(
  textUpTo(500),
  fc.tuple(textUpTo(250), textUpTo(240)).map((lines) => lines.join("\n")),
);

const dropoffNear = ({ lat, lng }: Point) => ({
  text: textUpTo(120),
  neighborhood: textUpTo(40),
  district: textUpTo(40),
  city: textUpTo(40),
  lat: coordinate(lat),
  lng: coordinate(lng),
});

/** Generates changes of at least one field, without open points (OPEN-152) and without the schedule. */
export const changes = (point: Point, now: number): fc.Arbitrary<Schemas["DeliveryChange"]> =>
  fc
    .record(
      {
        customer: fc.record(
          { name: textUpTo(60), phone: phones, phone_extension: extensions },
          { requiredKeys: ["name"] },
        ),
        dropoff: fc.record(dropoffNear(point), { requiredKeys: ["text", "lat", "lng"] }),
        notes,
        ready_at: readyTimes(now),
      },
      { requiredKeys: [] },
    )
    .filter((change) => Object.keys(change).length > 0);

/** The generated fields of an order. The allowed values of origin_channel are unspecified (OPEN-48). */
type GeneratedField = Exclude<keyof NewDelivery, "external_ref" | "store" | "origin_channel">;

/**
 * Generates valid orders that are paid at the door, without open points. The caller adds a reference, because
 * shrinking sends the same order again.
 * @param now the integrator's time
 */
export function orders(
  orderContext: OrderContext,
  now: number,
): fc.Arbitrary<Omit<NewDelivery, "external_ref">> {
  return fc
    .record(
      {
        customer: fc.record(
          { name: textUpTo(60), phone: phones, phone_extension: extensions, note: notes },
          { requiredKeys: ["name", "phone"] },
        ),
        dropoff: fc.record(
          { ...dropoffNear(orderContext.point), directions: textUpTo(80) },
          { requiredKeys: ["text", "lat", "lng"] },
        ),
        payment: paymentsOnDelivery,
        items: itemLists,
        package_count: fc.integer({ min: 1, max: 20 }),
        ready_at: readyTimes(now),
        // Well inside the allowed schedule (LIMIT-28).
        scheduled_for: timesWithin(now, DAY_MINUTES + 60, 6 * DAY_MINUTES),
        notes,
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

/** A random value from the check's random sequence. */
export function randomValueOf<T>(values: fc.Arbitrary<T>): T {
  const [value] = fc.sample(values, { numRuns: 1, seed: Math.floor(random() * 2 ** 31) });
  if (value === undefined) throw new Error("nothing was drawn");
  return value;
}
