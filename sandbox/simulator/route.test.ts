import { describe, expect, test } from "vitest";
import { lengthOf, positionAfter, routeBetween } from "./route.ts";

describe("a way", () => {
  const from = { lat: 41, lng: 29 };
  const to = { lat: 41.02, lng: 29.03 };
  const way = routeBetween(() => 0.3, from, to);

  test("leads from one end to the other, and isn't shorter than the straight line", () => {
    expect(positionAfter(way, 0)).toMatchObject(from);
    expect(positionAfter(way, lengthOf(way))).toMatchObject(to);
    expect(lengthOf(way)).toBeGreaterThan(3300);
  });

  test("the position after half of its length is between its ends", () => {
    const half = positionAfter(way, lengthOf(way) / 2);
    expect(half.lat).toBeGreaterThan(from.lat);
    expect(half.lat).toBeLessThan(to.lat);
  });
});
