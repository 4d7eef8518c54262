import { expect, test } from "vitest";
import { RepeatedRequestCounter } from "./repeated-requests.ts";

test("only repeated requests are counted, by operation", () => {
  const counter = new RepeatedRequestCounter();
  expect(counter.counts).toEqual([]);
  counter.observe({ operation: "getStore", isRetried: true });
  counter.observe({ operation: "getHealth", isRetried: true });
  for (const isRetried of [true, false, true]) counter.observe({ operation: "createDelivery", isRetried });
  counter.observe({ operation: "createQuote" });
  expect(counter.counts).toEqual([
    { operation: "createDelivery", count: 2 },
    { operation: "getHealth", count: 1 },
    { operation: "getStore", count: 1 },
  ]);
});
