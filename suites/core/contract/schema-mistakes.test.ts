import { describe, expect, test } from "vitest";
import { responseSchemaError, responseSchemaFault } from "./document.ts";

const page = (...items: readonly object[]) => ({ items, next_cursor: "c-1", has_more: false });

describe("what is wrong with an answer", () => {
  test("is reported once for all entries of a list", () => {
    const error = responseSchemaError("listDeliveries", 200, page({}, {}, {})) ?? "";
    expect(error).toMatch(
      /^\w+ is missing in items\[0\] and 2 more; \w+ is missing in items\[0\] and 2 more; /,
    );
  });

  test("is reported in words: the type, and how a time is written", () => {
    const proof = {
      id: "0b0e7f0e-5a54-4bd5-9d9a-3b1a0a5a2f10",
      kind: "DROPOFF",
      mime: "image/jpeg",
      size: 7,
      url: "https://a.example/p",
      created_at: "2030-05-01T15:30:00",
    };
    expect(responseSchemaError("listProofs", 200, { items: [proof] })).toBe(
      "items[0].created_at isn't a time in UTC that ends in Z",
    );
    expect(responseSchemaError("listDeliveries", 200, { ...page(), has_more: "no" })).toBe(
      "has_more isn't true or false",
    );
  });

  test("has one name where it is one thing in all places, and none where it is several", () => {
    const fault = (body: unknown) => responseSchemaFault("listDeliveries", 200, body);
    expect(fault({ items: [], next_cursor: "c-1" })).toBe(
      "responses don't match the document: has_more is missing",
    );
    expect(fault({ items: [] })).toBeUndefined();
    expect(fault(page())).toBeUndefined();
  });
});
