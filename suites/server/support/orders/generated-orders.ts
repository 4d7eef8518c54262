/** Generates the orders and changes that the document allows, without open points. */
import * as fc from "fast-check";
import { isoInstant } from "../../../core/clock.ts";
import type { Schema } from "../../../core/contract/api-document.ts";
import { fitsSchema, type Schemas, serviceApi } from "../../../core/contract/document.ts";
import { numberOr, type ValueChoices, valuesOf } from "../../../core/contract/values.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { inIstanbul, type OrderContext, toTheMetre, toTheSecond } from "./orders.ts";

const letters = fc.constantFrom(..."abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ0123456789");
const marks = fc.constantFrom(" ", "  ", ...`-.,:;!?'"&<>()/\\`);

/** A server may refuse shorter names and addresses (OPEN-127). */
const MIN_TEXT_LENGTH = 10;

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

/**
 * Positive sums with at most two decimal places (OPEN-41), whole ones among them. They aren't simplified: the simplest
 * sum, 0.01, hides how a server changes others.
 */
export const amounts: fc.Arbitrary<number> = fc.noShrink(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 500_000 }).map((kurus) => kurus / 100) },
    fc.integer({ min: 1, max: 5_000 }),
  ),
);

/** Positive numbers with all decimal places that the schema allows, and whole ones, not simplified either. */
function numbersOf(schema: Schema): fc.Arbitrary<number> {
  const decimals = schema["x-max-decimals"];
  if (typeof decimals !== "number") return amounts;
  return fc.noShrink(
    fc.oneof(
      fc.integer({ min: 1, max: 20_000 }).map((steps) => steps / 10 ** decimals),
      fc.integer({ min: 1, max: 99 }),
    ),
  );
}

/** The length of a text whose maximum is unspecified. */
const USUAL_LENGTH = 40;
/** The maximum length of an extension (LIMIT-24). */
const LONGEST_EXTENSION = 20;

/** An extension of digits with significant leading zeros. */
const extensions = fc
  .array(fc.constantFrom(..."0123456789"), { minLength: 1, maxLength: LONGEST_EXTENSION })
  .map((digits) => digits.join(""));

const MOBILES = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `532${String(n).padStart(7, "0")}`);

/** Mobile numbers in national and international form (OPEN-45). */
const phones = fc.tuple(fc.constantFrom("0", "+90"), MOBILES).map((parts) => parts.join(""));

/** Notes of one line or of two. */
const notes = fc.oneof(
  textUpTo(500),
  fc.tuple(textUpTo(250), textUpTo(240)).map((lines) => lines.join("\n")),
);

/** A city and its districts and neighbourhoods, because a service may know only those that exist (OPEN-237). */
const CITY = "İstanbul";
const DISTRICTS = ["Fatih", "Kadıköy", "Beyoğlu", "Şişli", "Üsküdar"] as const;
const NEIGHBOURHOODS = ["Hobyar", "Caferağa", "Kılıçali Paşa", "Meşrutiyet", "Sultantepe"] as const;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Times within these minutes in any notation of RFC 3339: with milliseconds, without, and with an offset. */
const timesWithin = (now: number, min: number, max: number): fc.Arbitrary<string> =>
  fc
    .record({
      minutes: fc.integer({ min, max }),
      write: fc.constantFrom(isoInstant, toTheSecond, inIstanbul),
    })
    .map(({ minutes, write }) => write(now + minutes * MINUTE_MS));

/** A coordinate in steps of about a metre, within a hundred metres of the point. */
const coordinate = (middle: number) =>
  fc.integer({ min: -70, max: 70 }).map((steps) => toTheMetre(middle + steps / 1e5));

/** The generators of members whose schemas say less than the specification, and "omitted" for open points. */
type Members = Readonly<Record<string, fc.Arbitrary<unknown> | "omitted">>;

/** Members that are always present, because the checks use them. */
const ALWAYS = [
  "customer",
  "customer.name",
  "customer.phone",
  "dropoff.text",
  "dropoff.lat",
  "dropoff.lng",
  "items",
];

const choicesWith = (members: Members, always: readonly string[]): ValueChoices => ({
  member: (path) => members[path],
  always: (path) => always.includes(path),
  text: ({ maxLength }) => textUpTo(numberOr(maxLength, USUAL_LENGTH)),
  number: numbersOf,
  entries: { minLength: 1, maxLength: 6 },
});

function generated<Name extends keyof Schemas>(
  name: Name,
  choices: ValueChoices,
): fc.Arbitrary<Schemas[Name]> {
  const schema = serviceApi.lookUp(`/components/schemas/${name}`);
  return valuesOf(schema, serviceApi.resolve, choices).map((value) => {
    if (!fitsSchema(name, value)) throw new Error(`a generated ${name} doesn't fit the document`);
    return value;
  });
}

/** Codes of articles are short, because their maximum is unspecified. */
export const itemLists: fc.Arbitrary<NonNullable<Schemas["NewDelivery"]["items"]>> = fc.array(
  generated("NewItem", choicesWith({ code: textUpTo(20) }, [])),
  { minLength: 1, maxLength: 6 },
);

/** Payments on delivery whose amounts agree. The effect of other amounts is unspecified (OPEN-44). */
export const paymentsOnDelivery = fc
  .record({ due: amounts, discount: fc.option(amounts, { nil: undefined }) })
  .map(({ due: expected, discount }) => ({
    amount_due: expected,
    prepaid: false,
    ...(discount !== undefined && { discount, subtotal: Math.round((expected + discount) * 100) / 100 }),
  }));

/** The members that orders and changes share. */
const membersOfBoth = ({ lat, lng }: Point, now: number): Members => ({
  "customer.phone": phones,
  "customer.phone_extension": extensions,
  "dropoff.lat": coordinate(lat),
  "dropoff.lng": coordinate(lng),
  "dropoff.neighborhood": fc.constantFrom(...NEIGHBOURHOODS),
  "dropoff.district": fc.constantFrom(...DISTRICTS),
  "dropoff.city": fc.constant(CITY),
  notes,
  // Any time of the next day.
  ready_at: timesWithin(now, 30, DAY_MINUTES),
});

/** Generates changes of at least one field, without open points (OPEN-152) and without the schedule. */
export const changes = (point: Point, now: number): fc.Arbitrary<Schemas["DeliveryChange"]> => {
  const members: Members = {
    ...membersOfBoth(point, now),
    "dropoff.directions": "omitted",
    scheduled_for: "omitted",
  };
  const always = ALWAYS.filter((path) => path.startsWith("dropoff.") || path === "customer.name");
  return generated("DeliveryChange", choicesWith(members, always)).filter(
    (change) => Object.keys(change).length > 0,
  );
};

/**
 * Generates valid orders that are paid at the door, without open points. The caller adds a reference, because
 * shrinking sends the same order again.
 * @param now the integrator's time
 */
export function orders(
  { externalStoreId, paymentType, point }: OrderContext,
  now: number,
): fc.Arbitrary<Omit<Schemas["NewDelivery"], "external_ref">> {
  const members: Members = {
    ...membersOfBoth(point, now),
    external_ref: fc.constant("replaced"),
    store: fc.constant({ external_store_id: externalStoreId }),
    "customer.note": notes,
    payment: paymentsOnDelivery.map((payment) => ({ ...payment, type: paymentType })),
    items: itemLists,
    // Well inside the allowed schedule (LIMIT-28).
    scheduled_for: timesWithin(now, DAY_MINUTES + 60, 6 * DAY_MINUTES),
    // The allowed values are unspecified (OPEN-48).
    origin_channel: "omitted",
    test: fc.constant(false),
  };
  return generated("NewDelivery", choicesWith(members, ALWAYS)).map(({ external_ref: _, ...order }) => order);
}
