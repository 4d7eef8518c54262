import { describe, expect, test } from "vitest";
import { causesLine, causesOf } from "./causes.ts";

type Ended = Parameters<typeof causesOf>[0][number];

const failed = (id: string, message: string, operation?: string): Ended => ({
  id,
  status: "failed",
  message,
  ...(operation !== undefined && { operation }),
});
const blocked = (id: string, by: string): Ended => ({ id, status: "blocked", blocked_by: by });

describe("causes", () => {
  test("a failure explains what it blocks, and itself; what explains the most stands first", () => {
    const checks = [
      failed("health.ok", "getHealth answered 404 where a success was due", "getHealth"),
      blocked("health.version", "health.ok"),
      failed("stores.first", "registerStore answered 404 where a success was due", "registerStore"),
      blocked("creation.one", "stores.first"),
      blocked("creation.two", "stores.first"),
    ];
    const causes = causesOf(checks);
    expect(causes.map(({ check }) => check)).toEqual(["stores.first", "health.ok"]);
    expect(causes[0]?.checks).toEqual(["stores.first", "creation.one", "creation.two"]);
    expect(causesLine(causes, checks)).toBe("2 causes explain all 5 failures");
  });

  test("failures that say the same of other records and operations have one cause", () => {
    const id = "0b0e7f0e-5a54-4bd5-9d9a-3b1a0a5a2f10";
    const other = "ffffffff-5a54-4bd5-9d9a-3b1a0a5a2f10";
    const checks = [
      failed("a", `createQuote answered 500 for ${id}`, "createQuote"),
      failed("b", `getDelivery answered 500 for ${other}`, "getDelivery"),
      failed("c", "something else", "getDelivery"),
      { id: "d", status: "passed" } as const,
    ];
    const causes = causesOf(checks);
    expect(causes).toEqual([
      { what: `createQuote, getDelivery answered 500 for ${id}`, check: "a", checks: ["a", "b"] },
    ]);
    expect(causesLine(causes, checks)).toBe("1 cause explains 2 of 3 failures");
  });

  test("where each failure is by itself there is no cause", () => {
    const checks = [failed("a", "one"), failed("b", "two")];
    expect(causesOf(checks)).toEqual([]);
    expect(causesLine([], checks)).toBe("2 failures, each by itself");
    expect(causesLine([], [])).toBeUndefined();
  });
});
