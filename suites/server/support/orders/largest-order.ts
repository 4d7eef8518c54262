import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";

type NewDelivery = Schemas["NewDelivery"];

/** Non-ASCII letters, so that counting or cutting in bytes shortens the text. */
const TURKISH_LETTERS = "çğıöşüÇĞİÖŞÜ";

const turkish = (length: number): string =>
  TURKISH_LETTERS.repeat(Math.ceil(length / TURKISH_LETTERS.length)).slice(0, length);

/** The maximum lengths (specification, "Limits"). */
const MAX_LENGTHS = {
  external_ref: 40,
  note: 500,
  notes: 500,
  phone_extension: 20,
  items: 200,
  package_count: 20,
};

/** An amount that rounding to whole units or five digits changes. Its upper bound is unspecified (OPEN-41). */
const PRECISE_AMOUNT = 4_345.67;

/**
 * An order with each field at its maximum, texts in Turkish letters, and different items. The reference has letters
 * and digits only, because a server may refuse others (OPEN-29).
 */
export function largestOrder(plain: NewDelivery): NewDelivery {
  return {
    ...plain,
    external_ref: plain.external_ref.padEnd(MAX_LENGTHS.external_ref, "0").slice(0, MAX_LENGTHS.external_ref),
    customer: {
      ...plain.customer,
      phone_extension: "12345678901234567890".slice(0, MAX_LENGTHS.phone_extension),
      note: turkish(MAX_LENGTHS.note),
    },
    payment: { ...plain.payment, amount_due: PRECISE_AMOUNT },
    items: Array.from({ length: MAX_LENGTHS.items }, (_, place) => ({
      name: `Çiğköfte ${place + 1}`,
      quantity: (1000 + place) / 1000,
      total: place === 0 ? PRECISE_AMOUNT : place + 0.25,
    })),
    package_count: MAX_LENGTHS.package_count,
    notes: turkish(MAX_LENGTHS.notes),
  };
}

/** Longer than most names, and short enough for a database column of 255 letters. */
const LONG_NAME = 150;

/**
 * The largest order, with item names so long that its event has over 64 kB. No maximum length of a name is
 * specified, so a server may refuse the order (OPEN-127).
 */
export function largestOrderWithLongNames(plain: NewDelivery): NewDelivery {
  const order = largestOrder(plain);
  const items = order.items?.map((item) => ({ ...item, name: `${item.name} ${turkish(LONG_NAME)}` }));
  return { ...order, ...(items && { items }) };
}

/** The part of the largest order that a delivery returns, under the order's names. */
export const shownOfLargest = ({
  external_ref,
  customer,
  payment,
  items,
  package_count,
  notes,
}: NewDelivery) => ({
  external_ref,
  customer: { name: customer?.name, phone_extension: customer?.phone_extension, note: customer?.note },
  payment: { amount_due: payment.amount_due },
  items,
  package_count,
  notes,
});

/** A text longer than a database column of 255 letters. No maximum length is specified (OPEN-127). */
const LONG_TEXT = "Apartmanın arka bahçesinden geçip üçüncü kapı. ".repeat(7).slice(0, 300).trim();

/** A drop-off whose address and directions have 300 letters each, which a server may refuse (OPEN-127). */
export const withLongTexts = (dropoff: NewDelivery["dropoff"]): NewDelivery["dropoff"] => ({
  ...dropoff,
  text: `${dropoff.text} ${LONG_TEXT}`,
  directions: LONG_TEXT,
});

/** Asserts that a shown text is the address, followed by the directions with any separator (OPEN-37). */
export function expectAddress(
  shown: string,
  { text: address, directions = "" }: NewDelivery["dropoff"],
): void {
  expectThat("dropoff.text", shown).startsWith(address);
  expectThat({ field: "dropoff.text", where: "after the address" }, shown.slice(address.length)).includes(
    directions,
  );
}
