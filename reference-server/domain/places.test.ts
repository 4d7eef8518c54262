import { expect, test } from "vitest";
import { turkey } from "./places.ts";

test("points within the country are valid; 0,0 and points elsewhere aren't", () => {
  expect(turkey.contains({ lat: 41.0082, lng: 28.9784 })).toBe(true);
  expect(turkey.contains({ lat: 0, lng: 0 })).toBe(false);
  expect(turkey.contains({ lat: 52.52, lng: 13.4 })).toBe(false);
  expect(turkey.contains({ lat: 91, lng: 28.9 })).toBe(false);
});
