import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../embedded.ts";
import { memoryLimiter } from "../../http/rate-limits.ts";
import { limits, type RateLimit } from "../../limits.ts";
import { linkStore, openAccount } from "../accounts.ts";
import { withStandingClock } from "../clocks.ts";
import { order } from "../orders.ts";
import { type BurstRequest, burst, times } from "./burst.ts";
import { expectRefusal } from "./refusal.ts";

const faults: unknown[] = [];
afterEach(() => expect(faults.splice(0)).toEqual([]));

/** Full limits if services are required, otherwise a quarter of them. */
const share = process.env.REQUIRE_SERVICES === "1" ? 1 : 1 / 4;

const part = (limit: RateLimit): RateLimit => ({ ...limit, requests: Math.ceil(limit.requests * share) });
const rate = {
  integrator: part(limits.rate.integrator),
  anonymous: part(limits.rate.anonymous),
  token: part(limits.rate.token),
  tracking: part(limits.rate.tracking),
};

interface Load {
  /** Ten times the limit per minute. */
  limit: RateLimit;
  request(index: number): BurstRequest;
  served: number;
  /** Requests of the minute before the load. */
  before: number;
}

test("ten times each rate limit is answered or refused with 429", async () => {
  const server = await startReferenceServer({
    // With a stopped clock, all requests are in one window, no matter how long they take.
    mutate: (deps) =>
      withStandingClock({ ...deps, limiter: memoryLimiter(0), limits: { ...deps.limits, rate } }),
    reportFault: (error) => faults.push(error),
  });
  const account = await openAccount(server);
  await linkStore(account);
  const authorization = `Bearer ${account.token}`;
  const json = { "content-type": "application/json" };
  const loads: Load[] = [
    {
      limit: rate.integrator,
      request: (index) => ({
        method: "POST",
        path: "/v1/deliveries",
        headers: { ...json, authorization, "idempotency-key": `load-key-${index}` },
        body: JSON.stringify(order(`load-${index}`)),
      }),
      served: 201,
      // The registration of the store.
      before: 1,
    },
    { limit: rate.anonymous, request: () => ({ method: "GET", path: "/healthz" }), served: 200, before: 0 },
    {
      limit: rate.token,
      request: () => ({ method: "POST", path: "/oauth/token", headers: json, body: "{}" }),
      served: 400,
      // The account's token request.
      before: 1,
    },
    {
      limit: rate.tracking,
      request: () => ({ method: "GET", path: "/v1/public/tracking/x" }),
      served: 404,
      before: 0,
    },
  ];
  for (const { limit, request, served, before } of loads) {
    const answers = await burst(server.url, times(10 * limit.requests, request), 50);
    const refused = answers.filter(({ status }) => status === 429);
    // Shows any other status in the failure message.
    const others = answers.filter(({ status }) => status !== served && status !== 429);
    expect({
      served: answers.length - refused.length - others.length,
      refused: refused.length,
      others,
    }).toEqual({
      served: limit.requests - before,
      refused: 9 * limit.requests + before,
      others: [],
    });
    expect(refused.filter(({ headers }) => !/^[1-9]\d*$/.test(String(headers["retry-after"])))).toEqual([]);
    expectRefusal(refused[0]);
  }
  await server.close();
});
