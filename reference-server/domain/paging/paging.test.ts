import { expect, test } from "vitest";
import { paging } from "./paging.ts";

test("a page of exactly the limit has no more", () => {
  expect(paging.cut([1, 2, 3], 3)).toEqual({ items: [1, 2, 3], more: false });
  expect(paging.cut([1, 2, 3, 4], 3)).toEqual({ items: [1, 2, 3], more: true });
});
