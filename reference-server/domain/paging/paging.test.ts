import { expect, test } from "vitest";
import { paging } from "./paging.ts";

test("has_more is false if exactly the limit is left", () => {
  expect(paging.cut([1, 2, 3], 3)).toEqual({ items: [1, 2, 3], more: false });
  expect(paging.cut([1, 2, 3, 4], 3)).toEqual({ items: [1, 2, 3], more: true });
});
