import { expect, test } from "vitest";
import { failureWords, likenessOf } from "./failure-words.ts";

test.each([
  [
    "delivery.arrived of 255088a0-746d-44a2-892b-9a0a243db6da did not arrive at https://127.0.0.1:43705/7af74661 within 15 s",
    "delivery.arrived of ID did not arrive at URL within #",
  ],
  [
    "registerStore answered 400 DOGRULAMA where 201 was due",
    "POST /v1/stores answered # DOGRULAMA where # was due",
  ],
  [
    "webhook-timestamp: '+058871-08-27T11:41:07.000Z' where '2026-11-25T21:44:34.870Z or earlier' was due",
    "webhook-timestamp: 'TIME' where VALUE was due",
  ],
  [
    "updated_at, sent as 2026-11-25T10:00:00-09:30: 2026-11-25T19:30:00.123456Z was due",
    "updated_at, sent as TIME: TIME was due",
  ],
  [
    "the 201 answer to createDelivery: id isn't text, and 'name' isn't there (3 of 3 exchanges; this is the first)",
    "an answer: id isn't text, and 'name' isn't there",
  ],
  [
    "deliveries of another status: [ 'a-1', 'b-2', 'c-3' and 12 more ] where [] was due",
    "deliveries of another status: [ VALUE ] where [] was due",
  ],
  ["items[0].mime isn't text (and 3 more)", "items[#].mime isn't text"],
  ["missing fields: [ 'updated_at' ] where [] was due", "missing fields: [ 'updated_at' ] where [] was due"],
  ["status: 'QUEUED' where 'Kasa 7' was due", "status: 'QUEUED' where VALUE was due"],
  ["events: 'delivery.created', 'delivery.of b21' and 2 more", "events: 'delivery.created', VALUE"],
  [
    "createQuote answered 400 where 200 was due; POST /v1/quotes did before",
    "POST /v1/quotes answered # where # was due; POST /v1/quotes did before",
  ],
  [
    "the 201 answer to POST /v1/deliveries: id isn't text (3 of 3 exchanges; this is the first)",
    "an answer: id isn't text",
  ],
  [
    "error.message of the 404 answer to getTracking is undefined (2 of 9 exchanges; this is the first)",
    "error.message of an answer is undefined",
  ],
  [
    "registerStore answered KIMLIK_YOK with 400 (2 of 9 exchanges; this is the first)",
    "an operation answered KIMLIK_YOK with #",
  ],
  [
    "deliveries of another status: [ '255088a0-746d-44a2-892b-9a0a243db6da', '74ad4bef-746d-44a2-892b-9a0a243db6da' and 3 more ]",
    "deliveries of another status: [ 'ID' ]",
  ],
  [
    'deliveries by {"created_from":"2026-11-25T10:00:00Z","status":"QUEUED","external_ref":"w-1"}',
    'deliveries by {"created_from":"TIME","status":"QUEUED","external_ref":VALUE}',
  ],
  ["it came after 2 days, 3 h and 40 microseconds", "it came after #, # and #"],
  ["notes: 'it isn't so' where null was due", "notes: VALUE where null was due"],
  ["center.lat: undefined where 41.0171928057554 was due", "center.lat: undefined where # was due"],
  [
    "in the answer to createQuote, expires_at is 2026-11-25T21:39:34 (1 of 9 exchanges; this is the first)",
    "an answer, expires_at is TIME",
  ],
  ["[ 'delivery.created of b21eb1e9-12-8f…' ] begins with \"name;\\n\"", "[ VALUE ] begins with VALUE"],
  [
    "events of a6a951b8-bb49-4ab9-aced-#… and 3f8c0a11-be…: 2 seconds, 300 ms",
    "events of ID#… and ID…: #, #",
  ],
  ["the first line\nand its values", "the first line"],
])("%s", (message, words) => {
  expect(failureWords(message)).toBe(words);
  expect(failureWords(words)).toBe(words);
});

test.each([
  ["version: # where # was due", "version: # where # was due", 1, 1],
  ["version: # where # was due", "version: # where more than # was due", 0.7, 0.99],
  ["due was # where version: #", "version: # where # was due", 0.99, 0.99],
  ["# requests in a row were not limited", "the # of the limit carries no retry-after", 0, 0.3],
  ["", "it is late", 0, 0],
])("%s, and %s, are alike by %d to %d", (one, other, least, most) => {
  expect(likenessOf(one, other)).toBeGreaterThanOrEqual(least);
  expect(likenessOf(one, other)).toBeLessThanOrEqual(most);
  expect(likenessOf(other, one)).toBe(likenessOf(one, other));
});

test("a text of a subject's that is made to be hard to read through is read as far as any", () => {
  const hostile = [" 'a", '\\"', "'A ", "a-", "https://", "1."].map((part) => part.repeat(4_000_000));
  const words = hostile.map((text) => failureWords(`createQuote answered ${text}`));
  expect(words.map((one) => one.startsWith("POST /v1/quotes answered "))).toEqual(hostile.map(() => true));
  expect(Math.max(...words.map(({ length }) => length))).toBeLessThan(4_000);
});
