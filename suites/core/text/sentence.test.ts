import { expect, test } from "vitest";
import { dueInWords, sentenceOf, shownValue } from "./sentence.ts";
import { thrown } from "./thrown.ts";

const sentences: readonly (readonly [() => void, string])[] = [
  [() => expect(201, "status").toBe(200), "status: 201 where 200 was due"],
  [() => expect(-0, "count").toBe(1), "count: 0 where 1 was due"],
  [
    () => expect(null, "pin").toEqual(expect.stringMatching(/\S/)),
    "pin: null where text that isn't blank was due",
  ],
  [() => expect([1], "ids").toEqual(expect.arrayContaining([3])), "ids: [ 1 ] where a list with [3] was due"],
  [
    () => expect({ a: 1 }, "it").toEqual({ a: expect.any(String) }),
    "it: { a: 1 } where { a: any text } was due",
  ],
  [
    () =>
      expect("1.4.0", "version").toEqual(
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?(?: and more)?$/),
      ),
    "version: '1.4.0' where text of another form was due",
  ],
  [() => expect(false, "that the secret is base64").toBe(true), "it isn't so that the secret is base64"],
  [() => expect(true, "that it is sent").toBe(false), "it is sent, which must not be"],
  [() => expect(5, "seconds").toSatisfy(Number.isNaN, "a date"), "seconds: 5 where a date was due"],
  [() => expect(5, "seconds").toSatisfy(Number.isNaN), "seconds: 5, which isn't right"],
  [() => expect("a", "kind").toBeOneOf(["b", "c"]), 'kind: "a" where one of [ "b", "c", ] was due'],
  [() => expect([1], "photos").toHaveLength(2), "photos: 1 where 2 were due"],
  [() => expect([1], "photos").toHaveLength(0), "photos: 1 where 0 were due"],
  [() => expect({ a: 1 }, "the type").toHaveProperty("kod"), "the type: there is no kod in { a: 1 }"],
  [() => expect(1.5, "lat").toBeCloseTo(2, 2), "lat: 1.5 where 2 was due, which is 0.5 away"],
  [() => expect(["a"], "listed").toContain("b"), "listed: [ 'a' ] doesn't hold 'b'"],
  [() => expect(["a"], "listed").not.toContain("a"), "listed: [ 'a' ] holds 'a', and must not"],
  [() => expect(null, "cancel_reason").toContain("rain"), "cancel_reason: null where text or a list was due"],
  [() => expect(undefined, "notes").toContain("x"), "notes: undefined where text or a list was due"],
  [() => expect(null, "photos").toHaveLength(2), "photos: it isn't there"],
  [() => expect(3, "shown").toBeLessThanOrEqual(2), "shown: 3 where at most 2 was due"],
  [() => expect(1, "found").toBeGreaterThan(2), "found: 1 where more than 2 was due"],
  [() => expect("x", "ref").toMatch(/y/), "ref: 'x' doesn't match /y/"],
  [() => expect(1, "id").not.toBe(1), "id: 1, which it must not be"],
  [() => expect({}, "items").toBeInstanceOf(Array), "items: {} where a list was due"],
  [() => expect(undefined, "url").toBeDefined(), "url: it isn't there"],
  [() => expect("a", "version").toBeTypeOf("number"), "version: 'a' where a number was due"],
];

test.each(sentences)("%s is told in words", (assertion, sentence) => {
  expect(sentenceOf(thrown(assertion).message)).toBe(sentence);
});

test("a message of our own stays as it is, and one line", () => {
  expect(sentenceOf("createQuote answered 404 where 200 was due\nand more")).toBe(
    "createQuote answered 404 where 200 was due",
  );
});

test("values are shown with words for what stands for many", () => {
  expect(shownValue({ id: expect.any(String), notes: [expect.stringMatching(/a/)], run: () => 1 })).toBe(
    "{ id: any text, notes: [ text that matches /a/ ], run: a function }",
  );
  expect(shownValue(expect.arrayContaining([1]))).toBe("a list with [ 1 ]");
  expect(shownValue(-0)).toBe("0");
  expect(shownValue("as it came")).toBe("as it came");
});

test.each([
  [() => expect(0, "limited").toBeGreaterThan(0), "more than 0"],
  [() => expect(9, "age").toBeLessThanOrEqual(8), "at most 8"],
  [() => expect(null, "the fee").not.toBeNull(), "anything but null"],
  [() => expect("a", "the code").not.toBe("a"), "anything but 'a'"],
  [() => expect("10:30Z", "ready_at").not.toBe("10:30Z"), "anything but '10:30Z'"],
  [() => expect(["a"], "listed").not.toContain("a"), "anything without 'a'"],
  [() => expect(201, "status").toBe(200), undefined],
])("a bound, and what is ruled out, is told as that: %#", (assertion, words) => {
  expect(dueInWords(sentenceOf(thrown(assertion).message))).toBe(words);
});
