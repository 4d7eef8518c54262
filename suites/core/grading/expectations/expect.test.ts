import { expect, test } from "vitest";
import { described } from "../../text/shown-value.ts";
import { CheckFailure } from "../failures/failure.ts";
import { forbiddenObservation, mismatchText, subjectParts } from "../failures/mismatch.ts";
import { type Expectation, expectThat } from "./expect.ts";

const KINDS = ["delivery.created", "delivery.assigned", "delivery.cancelled", "delivery.failed"];
const LONG = "0123456789".repeat(10);
const ID = "9c6d2f6e-8b0f-4b55-a8a7-7e1d5c0b4f21";
const PLACE = { text: "Ankara Caddesi 12, Hobyar", lat: 41.01, lng: 28.97 };

/** The error of a failed expectation. */
function failureOf(expectation: () => void): CheckFailure {
  try {
    expectation();
  } catch (error) {
    if (error instanceof CheckFailure) return error;
  }
  throw new Error("the expectation held");
}

type Row = readonly [subject: string, actual: unknown, demand: (that: Expectation) => void, sentence: string];

const failing: readonly Row[] = [
  ["next_cursor", "abc", (that) => that.is(null), "expected next_cursor to be null, got 'abc'"],
  ["count", -0, (that) => that.is(1), "expected count to be 1, got 0"],
  ["notes", "it's", (that) => that.is("no"), `expected notes to be 'no', got "it's"`],
  ["prepaid", undefined, (that) => that.is(true), "expected prepaid to be true, got undefined"],
  ["fee", { amount: 1 }, (that) => that.is(null), "expected fee to be null, got { amount: 1 }"],
  ["code", "a", (that) => that.isNot("a"), "expected code not to be 'a'"],
  ["reason", "c", (that) => that.isOneOf([null, "b"]), "expected reason to be null or 'b', got 'c'"],
  ["status", "B", (that) => that.isNoneOf(["A", "B"]), "expected status not to be 'A' or 'B', got 'B'"],
  ["items", 13, (that) => that.isAtMost(1), "expected items to be at most 1, got 13"],
  ["items", 0, (that) => that.isAtLeast(1), "expected items to be at least 1, got 0"],
  ["version", 3, (that) => that.isMoreThan(3), "expected version to be more than 3, got 3"],
  ["version", undefined, (that) => that.isMoreThan(3), "expected version to be more than 3, got undefined"],
  ["road_km", 3, (that) => that.isLessThan(3), "expected road_km to be less than 3, got 3"],
  ["lat", 41.3, (that) => that.isNear(41.2, 2), "expected lat to be 41.2 ± 0.005, got 41.3"],
  ["photos", [ID], (that) => that.isEmpty(), `expected photos to be empty, got [ '${ID}' ]`],
  ["photos", null, (that) => that.isEmpty(), "expected photos to be empty, got null"],
  ["photos", [], (that) => that.isNotEmpty(), "expected photos not to be empty"],
  ["photos", [1], (that) => that.hasLength(2), "expected photos to have 2 entries, got 1"],
  ["photos", null, (that) => that.hasLength(1), "expected photos to have 1 entry, got null"],
  ["notes", "y", (that) => that.includes("x"), "expected notes to include 'x', got 'y'"],
  ["notes", null, (that) => that.includes("x"), "expected notes to include 'x', got null"],
  [
    "kinds",
    KINDS,
    (that) => that.includes("delivery.arrived"),
    "expected kinds to include 'delivery.arrived', got [ 'delivery.created', 'delivery.assigned', 'delivery.cancelled' and 1 more ]",
  ],
  [
    "active",
    [ID],
    (that) => that.doesNotInclude(ID),
    `expected active not to include '${ID}', got [ '${ID}' ]`,
  ],
  ["active", null, (that) => that.doesNotInclude(ID), `expected active not to include '${ID}', got null`],
  ["ref", "x", (that) => that.matches(/y/), "expected ref to match /y/, got 'x'"],
  ["text", "xy", (that) => that.startsWith("y"), "expected text to start with 'y', got 'xy'"],
  [
    "text",
    "a".repeat(255),
    (that) => that.startsWith("a".repeat(300)),
    "text, compared with the expected beginning: cut after 255 of 300 characters",
  ],
  [
    "text",
    `${LONG}?${LONG}`,
    (that) => that.startsWith(`${LONG}ş`),
    "text, compared with the expected beginning: differs from character 101 on: expected '…0123456789ş', got '…0123456789?0123456789012345678…'",
  ],
  ["ref", "x", (that) => that.doesNotMatch(/x/), "expected ref not to match /x/, got 'x'"],
  [
    "details",
    undefined,
    (that) => that.hasFields({ id: 1 }),
    "expected details to have { id: 1 }, got undefined",
  ],
  [
    "details",
    { status: "QUEUED", id: 2, name: "n" },
    (that) => that.hasFields({ id: 1, name: "m" }),
    "expected details.id to be 1, got 2 (1 more field differs)",
  ],
  ["entry", {}, (that) => that.hasField("kod"), "expected entry to have a field kod, got {}"],
  ["pin", " ", (that) => that.isText(), "expected pin to be text that isn't blank, got ' '"],
  ["id", 4, (that) => that.isUuid(), "expected id to be a UUID, got 4"],
  ["lat", "4", (that) => that.isNumber(), "expected lat to be a number, got '4'"],
  ["version", 1.5, (that) => that.isInteger(), "expected version to be an integer, got 1.5"],
  ["vat_included", "no", (that) => that.isBoolean(), "expected vat_included to be true or false, got 'no'"],
  ["items", {}, (that) => that.isList(), "expected items to be a list, got {}"],
  [
    "url",
    "ftp",
    (that) => that.satisfies("an https URL", false),
    "expected url to be an https URL, got 'ftp'",
  ],
  [
    "kinds",
    KINDS,
    (that) => that.is(["delivery.created", "delivery.cancelled", "delivery.arrived"]),
    "kinds: missing 'delivery.arrived'; unexpected 'delivery.assigned', 'delivery.failed'",
  ],
  [
    "kinds",
    KINDS,
    (that) => that.is(KINDS.toReversed()),
    "kinds: other order, expected 'delivery.failed', 'delivery.cancelled', 'delivery.assigned' and 1 more first",
  ],
  ["ids", [1], (that) => that.is([2]), "expected ids to be [ 2 ], got [ 1 ]"],
  [
    "dropoff",
    PLACE,
    (that) => that.is({ ...PLACE, text: "Ankara Caddesi 14", lng: 28.9 }),
    "expected dropoff.text to be 'Ankara Caddesi 14', got 'Ankara Caddesi 12, Hobyar' (1 more field differs)",
  ],
  ["dropoff", { ...PLACE, floor: 3 }, (that) => that.is(PLACE), "dropoff: unexpected 'floor'"],
  ["notes", "a".repeat(90), (that) => that.is("a".repeat(91)), "notes: cut after 90 of 91 characters"],
  [
    "notes",
    `${"a".repeat(90)}b`,
    (that) => that.is(`${"a".repeat(90)}cc`),
    "notes: differs from character 91 on: expected '…aaaaaaaaaacc', got '…aaaaaaaaaab'",
  ],
  [
    "notes",
    `${"a".repeat(90)}b`,
    (that) => that.is("a".repeat(90)),
    "notes: goes on after the expected 90 characters: '…aaaaaaaaaab'",
  ],
  ["notes", "a".repeat(200), (that) => that.is("b"), `expected notes to be 'b', got '${"a".repeat(80)}…'`],
];

test.each(failing)(
  "a failed expectation on %s is a plain sentence: %#",
  (subject, actual, demand, sentence) => {
    const failure = failureOf(() => demand(expectThat(subject, actual)));
    expect(failure.message).toBe(sentence);
    expect(failure.mismatch).toMatchObject({ subject, actual });
  },
);

const holding: readonly (readonly [unknown, (that: Expectation) => void])[] = [
  [{ a: 1, b: undefined }, (that) => that.is({ a: 1 })],
  ["a", (that) => that.isNot("b")],
  [null, (that) => that.isOneOf([null, "b"])],
  [1, (that) => that.isAtMost(1)],
  [1, (that) => that.isAtLeast(1)],
  [41.204, (that) => that.isNear(41.2, 2)],
  [[], (that) => that.isEmpty()],
  [[1], (that) => that.isNotEmpty()],
  ["abc", (that) => that.includes("b")],
  [[{ a: 1 }], (that) => that.includes({ a: 1 })],
  [{ a: { b: 1 }, c: 2 }, (that) => that.hasFields({ a: { b: 1 } })],
  [ID, (that) => that.isUuid()],
];

test.each(holding)("a satisfied expectation on %j throws nothing", (actual, demand) => {
  expect(() => demand(expectThat("it", actual))).not.toThrow();
});

test("the observed value is the actual one, with the relation, the expected value and the exchange", () => {
  const exchange = undefined;
  const { mismatch } = failureOf(() =>
    expectThat("items", 13, { exchange, note: "for a limit" }).isAtMost(1),
  );
  expect(mismatch).toEqual({
    subject: "items",
    field: "items",
    relation: "to be at most",
    expected: 1,
    actual: 13,
    note: "for a limit",
  });
});

test.each([
  [
    {
      subject: "createQuote",
      relation: "to answer",
      expected: [200, 201],
      actual: "404 BULUNAMADI",
    } as const,
    "createQuote: expected status 200 or 201, got 404 BULUNAMADI",
  ],
  [
    { subject: "createQuote", relation: "to refuse with", expected: ["A"], actual: "B" } as const,
    "createQuote: expected error code A, got B",
  ],
  [
    {
      subject: "createDelivery",
      relation: "to answer",
      expected: 400,
      actual: 201,
      violates: "notes has 501 characters",
    } as const,
    "createDelivery: expected status 400, got 201 (request was invalid on purpose: notes has 501 characters)",
  ],
  [
    { subject: "delivery.created", relation: "to arrive", expected: described("within 15 s") } as const,
    "expected delivery.created to arrive within 15 s, got nothing",
  ],
  [
    { subject: "delivery.created", relation: "to arrive", actual: ["1 attempt of delivery.queued"] } as const,
    "expected delivery.created, got only '1 attempt of delivery.queued'",
  ],
  [
    { subject: "delivery.created", relation: "to arrive", actual: [] } as const,
    "expected delivery.created, got nothing",
  ],
  [forbiddenObservation("two orders were sent\n with one key"), "two orders were sent with one key"],
])("other mismatches are sentences too: %#", (mismatch, sentence) => {
  expect(mismatchText(mismatch)).toBe(sentence);
});

test("secrets are redacted before a text is shortened", () => {
  const secret = `whsec_${"s".repeat(90)}`;
  const clean = (text: string) => text.replaceAll(secret, "[redacted]");
  const mismatch = { subject: "secret", relation: "not to be", expected: secret } as const;
  expect(mismatchText(mismatch, clean)).toBe("expected secret not to be '[redacted]'");
  const listed = { subject: "list", relation: "to be empty", actual: [{ deep: [secret] }] } as const;
  expect(mismatchText(listed, clean)).toBe("expected list to be empty, got [ { deep: [ '[redacted]' ] } ]");
});

test("a list of any length is shown in one line without delay", () => {
  const many = Array.from({ length: 200_000 }, (_, place) => `order ${place}`);
  expect(failureOf(() => expectThat("listed", many).is(many.toReversed())).message).toBe(
    "expected listed to be [ 'order 199999', 'order 199998', 'order 199997' and 199997 more ], got [ 'order 0', 'order 1', 'order 2' and 199997 more ]",
  );
});

test.each([
  ["version", { subject: "version", field: "version" }],
  ["items[0].name", { subject: "items[0].name", field: "items[0].name" }],
  [
    { field: "attempt", where: "3" },
    { subject: "attempt 3", field: "attempt" },
  ],
  ["requests that got 201", { subject: "requests that got 201" }],
] as const)("the subject %o carries the field by its name, if it is about one", (subject, parts) => {
  expect(subjectParts(subject)).toEqual(parts);
});
