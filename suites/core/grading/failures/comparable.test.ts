import { expect, test } from "vitest";
import { described } from "../../text/shown-value.ts";
import { comparable } from "./comparable.ts";

const [ONE, OTHER] = ["c3b5c8e6-9f26-45fd-8717-460650f2978b", "103e922a-0ce8-4182-8127-943c6594e381"];

test("values that differ only in ids are equal", () => {
  const value = (id: string) => ({ details: [{ delivery_id: id, road_km: 4.2 }], note: null });
  expect(comparable(value(ONE))).toEqual(comparable(value(OTHER)));
});

test.each<[string, unknown, unknown]>([
  ["an id and another text", ONE, "none"],
  ["texts that contain ids", `${ONE} of noon`, `${OTHER} of noon`],
  ["a number and a text", 200, "200"],
  ["members", { id: ONE }, { delivery_id: ONE }],
  ["lists of different lengths", [ONE], [ONE, OTHER]],
  ["descriptions", described("a number"), described("a list")],
  ["patterns", /a/, /b/],
  ["numbers that JSON can't represent", Number.NaN, Number.POSITIVE_INFINITY],
])("%s differ", (_, one, other) => {
  expect(comparable(one)).not.toEqual(comparable(other));
});
