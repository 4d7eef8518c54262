import { expect, test } from "vitest";
import { ambiguousJson, jsonBytesFault } from "./json-bytes.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test.for([
  ["a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), "begins with a byte order mark"],
  ["Latin-1", Buffer.from('{"a":"ç"}', "latin1"), "isn't valid UTF-8"],
  ["NaN", bytes('{"a":NaN}'), "isn't JSON"],
  ["an error page", bytes("<!DOCTYPE html>"), "is a web page instead of JSON"],
  ["trailing data", bytes("{} {}"), "isn't JSON"],
] as const)("%s is reported", ([, given, fault]) => {
  expect(jsonBytesFault(given)?.kind).toBe(fault);
});

test.for(['{"a":"çğş 🍲"}', "[]", " null\n", '"\\ud83c\\udf72"'])("%s is JSON", (text) => {
  expect(jsonBytesFault(bytes(text))).toBeUndefined();
});

test.for([
  ['{"a":1,"a":2}', "names a member of an object twice"],
  ['{"b":[{"a":1,"a":1}]}', "names a member of an object twice"],
  ['{"a":"\\ud83c"}', "contains a lone surrogate"],
] as const)("%s is read differently by different parsers", ([text, fault]) => {
  expect(ambiguousJson(text, JSON.parse(text))).toBe(fault);
});

test.for(['{"a":{"a":1},"b":["a:", "\\":"]}', '{"a":"\\ud83c\\udf72"}', '{"a" : 1, "b":"x"}'])(
  "%s is read in the same way by all parsers",
  (text) => {
    expect(ambiguousJson(text, JSON.parse(text))).toBeUndefined();
  },
);
