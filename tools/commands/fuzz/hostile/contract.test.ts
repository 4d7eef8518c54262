import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isObject, member, parseJson } from "../../../../suites/core/json.ts";
import { contradictionsIn, contradicts, type MarkedResponse } from "./contract.ts";

const PACT = new URL("../../../../suites/server/pact/point-of-sale.json", import.meta.url);
const list = member(parseJson(readFileSync(PACT, "utf8")), "interactions");
const interactions: readonly unknown[] = Array.isArray(list) ? list : [];
const markOf = (description: string): string =>
  String(interactions.findIndex((one) => member(one, "description") === description));

const TOKEN = markOf("credentials for a token");
const CANCELLATION = markOf("a cancellation in time");
const PAGE = markOf("a page of changed deliveries");
const answer = (body: unknown, status = 200, contentType = "application/json; charset=utf-8") => ({
  status,
  contentType,
  body: JSON.stringify(body),
});

const granted = { access_token: "x", token_type: "Bearer", expires_in: 60 };
const delivery = {
  id: "6f1c2f4e-5f0b-4d8e-9a53-2b8c0de4a111",
  external_ref: "a",
  status: "QUEUED",
  tracking_url: "https://a.example/t",
  updated_at: "2026-01-01T10:00:00.000Z",
  version: 1,
};

test.each([
  ["the expected members", TOKEN, answer(granted)],
  ["another member", TOKEN, answer({ ...granted, next_cursor: "MQ" })],
  ["another text where the contract names a type", TOKEN, answer({ ...granted, access_token: "\u0000" })],
  ["another status where any success is named", CANCELLATION, answer({}, 299)],
  ["any body where none is named", CANCELLATION, answer("<html>", 200, "text/html")],
  ["two entries where one is named", PAGE, answer({ items: [delivery, delivery], has_more: true })],
])("a response with %s is within the contract", (_, mark, sent) => {
  expect(contradicts(mark, sent)).toBe(false);
});

test.each([
  ["no complete response", CANCELLATION, undefined],
  ["another status", TOKEN, answer(granted, 201)],
  ["an error", CANCELLATION, answer({}, 429)],
  ["another content type", TOKEN, answer(granted, 200, "text/html")],
  ["a body that isn't JSON", TOKEN, { ...answer(granted), body: `\ufeff\ufeff${JSON.stringify(granted)}` }],
  ["a missing member", TOKEN, answer({ access_token: "x", token_type: "Bearer" })],
  ["a fixed value changed", TOKEN, answer({ ...granted, token_type: "Bearer\u0000" })],
  ["a value of another type", TOKEN, answer({ ...granted, access_token: 1 })],
  ["a text that doesn't match", PAGE, answer({ items: [{ ...delivery, updated_at: "x" }], has_more: false })],
  ["too few entries", PAGE, answer({ items: [], has_more: false })],
  ["one wrong entry", PAGE, answer({ items: [delivery, { ...delivery, version: "1" }], has_more: false })],
])("a response with %s contradicts the contract", (_, mark, sent) => {
  expect(contradicts(mark, sent)).toBe(true);
});

/** Correct responses to all requests of the contract. */
const correct: readonly MarkedResponse[] = interactions.flatMap((interaction, index) =>
  isObject(member(interaction, "request"))
    ? [{ mark: String(index), attack: undefined, isContrary: false }]
    : [],
);
const attacked = (attack: string, isContrary = true): MarkedResponse => ({ mark: TOKEN, attack, isContrary });

test("a contract may pass if no attack contradicts it", () => {
  expect(contradictionsIn(correct)).toEqual([]);
  expect(contradictionsIn([...correct, attacked("same-cursor", false)])).toEqual([]);
});

test("a contract must not pass if an attack contradicts it, even if a repetition is correct", () => {
  expect(contradictionsIn([attacked("html"), ...correct])).toEqual(["credentials for a token: html"]);
});

test("a contract may pass if a client repeats the request of a reset connection", () => {
  expect(contradictionsIn([attacked("reset"), ...correct])).toEqual([]);
  expect(contradictionsIn([...correct, attacked("reset")])).toEqual(["credentials for a token: reset"]);
});

test("a contract must not pass if one of its requests wasn't sent", () => {
  expect(contradictionsIn(correct.filter(({ mark }) => mark !== TOKEN))).toEqual([
    "credentials for a token: not requested",
  ]);
});
