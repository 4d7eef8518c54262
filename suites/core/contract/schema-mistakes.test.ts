import { describe, expect, test } from "vitest";
import { responseSchemaError, responseSchemaFault } from "./document.ts";

const page = (...items: readonly object[]) => ({ items, next_cursor: "c-1", has_more: false });

describe("a schema error", () => {
  test("is reported once for all entries of a list", () => {
    const error = responseSchemaError("listDeliveries", 200, page({}, {}, {})) ?? "";
    expect(error).toMatch(
      /^\w+ is missing in items\[0\] and 2 more; \w+ is missing in items\[0\] and 2 more; /,
    );
  });

  test("is described in words: a type, or the format of a time", () => {
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

  test("has a fault if all places have the same error, and none if they differ", () => {
    const fault = (body: unknown) => responseSchemaFault("listDeliveries", 200, body);
    expect(fault({ items: [], next_cursor: "c-1" })).toBe(
      "responses don't match the document: has_more is missing",
    );
    expect(fault({ items: [] })).toBeUndefined();
    expect(fault(page())).toBeUndefined();
  });
});
