import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import type { Dependencies } from "../../dependencies.ts";
import { startReferenceServer } from "../../embedded.ts";
import { withStandingClock } from "../clocks.ts";
import { type BurstRequest, burst, times } from "./burst.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

const faults: unknown[] = [];
afterEach(() => expect(faults.splice(0)).toEqual([]));

/** All requests differ, so that anything kept of a request is kept for each. */
const hostile = (round: number) =>
  times(800, (index): BurstRequest => {
    const unique = `${round}-${index}-${"x".repeat(4000)}`;
    const kinds: BurstRequest[] = [
      { method: "GET", path: "/v1/stores", headers: { authorization: `Bearer ${unique}` } },
      { method: "GET", path: `/v1/stores/${unique}` },
      { method: "GET", path: `/${unique}` },
      { method: "GET", path: `/healthz?${unique}=${unique}` },
      { method: "GET", path: `/v1/public/tracking/${unique}` },
      {
        method: "POST",
        path: "/oauth/token",
        headers: { "content-type": "application/json" },
        body: `{"${unique}":`,
      },
      { method: "POST", path: "/oauth/token", headers: { "content-type": unique }, body: unique },
      { method: "GET", path: "/healthz", headers: { [`x-${unique.slice(0, 200)}`]: unique, cookie: unique } },
    ];
    return kinds[index % kinds.length] ?? { method: "GET", path: "/" };
  });

/** The growth of the heap during a burst, in bytes, after a warm-up. */
async function growthUnder(mutate: (deps: Dependencies) => Dependencies): Promise<number> {
  const server = await startReferenceServer({
    mutate: (deps) => mutate(withStandingClock(deps)),
    reportFault: (error) => faults.push(error),
  });
  await burst(server.url, hostile(0), 50);
  const before = heapUsed();
  for (const round of [1, 2, 3]) await burst(server.url, hostile(round), 50);
  const growth = heapUsed() - before;

  await server.close();
  return growth;
}

function heapUsed(): number {
  if (typeof collectGarbage !== "function") throw new Error("garbage can't be collected");
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A burst of 2,400 requests of 4 kB each. The bound detects a server that keeps a third of it. */
const mostGrowth = 3_000_000;

test("a burst of hostile requests leaves no data in memory", async () => {
  expect(await growthUnder((deps) => deps)).toBeLessThan(mostGrowth);
});

test("a server that keeps data of each request is detected", async () => {
  const remembered: string[] = [];
  const growth = await growthUnder((deps) => ({
    ...deps,
    tokens: {
      ...deps.tokens,
      read(header) {
        remembered.push(Buffer.alloc(4000).toString("latin1"));
        return deps.tokens.read(header);
      },
    },
  }));
  expect(growth).toBeGreaterThan(mostGrowth);
  expect(remembered.length).toBeGreaterThan(0);
});
