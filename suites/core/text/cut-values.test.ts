import { expect, test } from "vitest";
import { withEntries } from "./cut-values.ts";
import { sentenceOf } from "./sentence.ts";
import { thrown } from "./thrown.ts";

const KINDS = ["delivery.created", "delivery.assigned", "delivery.cancelled", "delivery.failed"];
const ID = "9c6d2f6e-8b0f-4b55-a8a7-7e1d5c0b4f21";
const PLACE = { text: "Ankara Caddesi 12, Hobyar", lat: 41.01, lng: 28.97 };

const sentences: readonly (readonly [() => void, string])[] = [
  [
    () => expect(KINDS, "kinds").toEqual(["delivery.created", "delivery.cancelled", "delivery.arrived"]),
    "kinds: without 'delivery.arrived', which was due; with 'delivery.assigned', 'delivery.failed', which were not due",
  ],
  [
    () => expect(KINDS, "kinds").toEqual([KINDS[0], KINDS[2], expect.stringMatching(/failed/), "a"]),
    "kinds: without 'a', which was due; with 'delivery.assigned', which was not due",
  ],
  [
    () => expect(KINDS, "kinds").toEqual(KINDS.toReversed()),
    "kinds: in another order than was due, which begins with 'delivery.failed', 'delivery.cancelled', 'delivery.assigned' and 1 more",
  ],
  [
    () => expect([], "kinds of each").toEqual([KINDS]),
    "kinds of each: [] where [ [ 'delivery.created', 'delivery.assigned', 'delivery.cancelled' and 1 more ] ] was due",
  ],
  [() => expect([ID], "active").not.toContain(ID), `active: [ '${ID}' ] holds '${ID}', and must not`],
  [
    () => expect(KINDS, "kinds").toContain("delivery.arrived"),
    "kinds: [ 'delivery.created', 'delivery.assigned', 'delivery.cancelled' and 1 more ] doesn't hold 'delivery.arrived'",
  ],
  [
    () => expect(PLACE, "dropoff").toMatchObject({ text: "Ankara Caddesi 14, Hobyar", lng: 28.9 }),
    "dropoff: text: 'Ankara Caddesi 12, Hobyar' where 'Ankara Caddesi 14, Hobyar' was due; it differs in 1 more",
  ],
  [
    () =>
      expect({ items: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] }, "page").toEqual({ items: [] }),
    "page: items: [ 1, 2, 3 and 12 more ] where [] was due",
  ],
  [
    () => expect([], 'those with {"external_ref":"w-1"}').toEqual([ID]),
    `those with {"external_ref":"w-1"}: [] where [ '${ID}' ] was due`,
  ],
  [
    () => expect(undefined, "details").toMatchObject({ delivery_id: ID }),
    `details: undefined where { delivery_id: '${ID}' } was due`,
  ],
  [
    () => expect({ ...PLACE, floor: 3 }, "dropoff").toEqual(PLACE),
    "dropoff: with 'floor', which was not due",
  ],
];

test.each(sentences)("%s is told by its entries", (assertion, sentence) => {
  const error = thrown(assertion);
  expect(withEntries(sentenceOf(error.message), error)).toBe(sentence);
});

test("what is shown whole stays as it is", () => {
  for (const assertion of [
    () => expect([1], "ids").toEqual([2]),
    () => expect("a", "kind").toBe("b"),
    () => expect({ a: 1 }, "it").toEqual({ a: 2 }),
  ]) {
    const error = thrown(assertion);
    const sentence = sentenceOf(error.message);
    expect(withEntries(sentence, error)).toBe(sentence);
  }
});

test("a list of any length is told in a line, and at once", () => {
  const many = Array.from({ length: 200_000 }, (_, place) => `order ${place}`);
  const error = thrown(() => expect(many, "listed").toEqual(many.toReversed()));
  expect(withEntries(sentenceOf(error.message), error)).toBe(
    "listed: [ 'order 0', 'order 1', 'order 2' and 199997 more ] where " +
      "[ 'order 199999', 'order 199998', 'order 199997' and 199997 more ] was due",
  );
});
