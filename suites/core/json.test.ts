import { expect, test } from "vitest";
import { jsonExcess, parseJson } from "./json.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const many = (values: number) => `[${Array.from({ length: values }, () => "{}").join()}]`;

test("JSON of a usual size is parsed", () => {
  const page = { items: Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, address: { text: '"[[[' } })) };
  expect(parseJson(JSON.stringify(page))).toEqual(page);
  expect(parseJson(nested(200))).toBeDefined();
});

test("brackets and commas in strings don't count", () => {
  const text = JSON.stringify({ notes: `\\"${"[{,".repeat(400_000)}` });
  expect(jsonExcess(text)).toBeUndefined();
});

test.each([
  ["nested", nested(20_000), "its JSON is nested more than 200 levels deep"],
  ["nested without an end", "[".repeat(20_000), "its JSON is nested more than 200 levels deep"],
  ["of very many values", many(500_001), "its JSON has more than 500000 values"],
])("JSON %s is rejected as too large", (_, text, excess) => {
  expect(jsonExcess(text)).toBe(excess);
  expect(parseJson(text)).toBeUndefined();
});
