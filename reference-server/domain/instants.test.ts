import { describe, expect, test } from "vitest";
import { durationMs, formatInstant, isInstant, parseInstant } from "./instants.ts";

describe("instants", () => {
  test.each([
    "2030-05-01T18:30:00+03:00",
    "2030-05-01T15:30:00Z",
    "2030-05-01T15:30:00.125Z",
    "2028-02-29T00:00:00Z",
  ])("%s is accepted", (text) => expect(isInstant(text)).toBe(true));
  test.each([
    "2030-05-01T18:30:00",
    "2030-05-01",
    "2030-02-30T00:00:00Z",
    "2030-05-01 18:30:00Z",
    "2030-13-01T00:00:00Z",
    "0000-01-01T00:00:00+03:00",
    "",
  ])("%j is refused", (text) => expect(isInstant(text)).toBe(false));
  test("are written in UTC with Z", () => {
    expect(formatInstant(parseInstant("2030-05-01T18:30:00+03:00"))).toBe("2030-05-01T15:30:00.000Z");
  });
  test("durations", () => {
    expect(durationMs("P7D")).toBe(604_800_000);
    expect(durationMs("PT1M30S")).toBe(90_000);
  });
});
