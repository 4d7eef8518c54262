import { describe, expect, test } from "vitest";
import type { CheckStatus } from "../core/grading/outcome.ts";
import { itemsToTry } from "../core/mutation/scope.ts";
import { nullServers, onlyApi, runOnNullServer } from "./testing/null-servers.ts";

describe("a server with the same response for every request passes no MUST", () => {
  const tried = itemsToTry(Object.keys(nullServers));
  for (const [name, respond] of Object.entries(nullServers).filter(([name]) => tried.includes(name))) {
    test.concurrent(name, async () => {
      const outcomes = await runOnNullServer(respond);
      const ended = (as: CheckStatus) => [...outcomes].filter(([, { status }]) => status === as);
      expect(outcomes.size).toBe(onlyApi.length);
      expect(ended("passed")).toEqual([]);
      expect(ended("errored")).toEqual([]);
    });
  }
});
