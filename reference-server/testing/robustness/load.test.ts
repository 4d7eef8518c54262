import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Pool } from "undici";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../embedded.ts";
import { limits, type RateLimit } from "../../limits.ts";
import type { Parts } from "../../parts.ts";
import { linkStore, openAccount } from "../accounts.ts";
import { withStandingClock } from "../clocks.ts";
import { order } from "../orders.ts";
import { type Answer, expectRefusal } from "./refusal.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

const faults: unknown[] = [];
afterEach(() => expect(faults.splice(0)).toEqual([]));

/** Each limit's window starts at whole minutes, so with a clock that stands all of a minute's requests are in one. */
const start = (mutate: (parts: Parts) => Parts) =>
  startReferenceServer({
    mutate: (parts) => mutate(withStandingClock(parts)),
    reportFault: (error) => faults.push(error),
  });

interface Shot {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends the shots over as many connections as `atOnce` says, each as soon as the one before it is answered. */
async function fire(url: string, shots: Iterable<Shot>, atOnce: number): Promise<Answer[]> {
  const pool = new Pool(url, { connections: atOnce });
  const hits: Answer[] = [];
  const queue = shots[Symbol.iterator]();
  const shooter = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const answer = await pool.request(next.value);
      hits.push({ status: answer.statusCode, headers: answer.headers, text: await answer.body.text() });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, shooter));
  await pool.close();
  return hits;
}

const times = (count: number, shot: (index: number) => Shot) =>
  Array.from({ length: count }, (_, n) => shot(n));

/** Where every service is required the limits are the real ones; elsewhere a quarter of them does. */
const share = process.env.REQUIRE_SERVICES === "1" ? 1 : 1 / 4;

const part = (limit: RateLimit): RateLimit => ({ ...limit, requests: Math.ceil(limit.requests * share) });
const rate = {
  integrator: part(limits.rate.integrator),
  anonymous: part(limits.rate.anonymous),
  token: part(limits.rate.token),
  tracking: part(limits.rate.tracking),
};

interface Load {
  /** As many as the limit allows in its minute, ten times over. */
  limit: RateLimit;
  shot(index: number): Shot;
  served: number;
  /** Requests of the minute that came before the load. */
  before: number;
}

test("ten times as much as each limit allows in its minute is answered, by the limit and by refusals", async () => {
  const server = await start((parts) => ({ ...parts, limits: { ...parts.limits, rate } }));
  const account = await openAccount(server);
  await linkStore(account);
  const authorization = `Bearer ${account.token}`;
  const json = { "content-type": "application/json" };
  const loads: Load[] = [
    {
      limit: rate.integrator,
      shot: (index) => ({
        method: "POST",
        path: "/v1/deliveries",
        headers: { ...json, authorization, "idempotency-key": `load-key-${index}` },
        body: JSON.stringify(order(`load-${index}`)),
      }),
      served: 201,
      // The store's registration.
      before: 1,
    },
    { limit: rate.anonymous, shot: () => ({ method: "GET", path: "/healthz" }), served: 200, before: 0 },
    {
      limit: rate.token,
      shot: () => ({ method: "POST", path: "/oauth/token", headers: json, body: "{}" }),
      served: 400,
      // The account's own.
      before: 1,
    },
    {
      limit: rate.tracking,
      shot: () => ({ method: "GET", path: "/v1/public/tracking/x" }),
      served: 404,
      before: 0,
    },
  ];
  for (const { limit, shot, served, before } of loads) {
    const hits = await fire(server.url, times(10 * limit.requests, shot), 50);
    const refused = hits.filter(({ status }) => status === 429);
    expect(hits.filter(({ status }) => status === served)).toHaveLength(limit.requests - before);
    expect(refused).toHaveLength(9 * limit.requests + before);
    expect(refused.filter(({ headers }) => !/^[1-9]\d*$/.test(String(headers["retry-after"])))).toEqual([]);
    expectRefusal(refused[0]);
  }
  await server.close();
}, 180_000);

/** Hostile in as many ways as there are shots, so that whatever is kept of a request is kept of each. */
const hostile = (round: number) =>
  times(800, (index): Shot => {
    const unique = `${round}-${index}-${"x".repeat(4000)}`;
    const kinds: Shot[] = [
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

/** Bytes that the heap has grown by from a flood, after one that warmed everything up. */
async function growthUnder(mutate: (parts: Parts) => Parts): Promise<number> {
  const server = await start(mutate);
  await fire(server.url, hostile(0), 50);
  const before = heapUsed();
  for (const round of [1, 2, 3]) await fire(server.url, hostile(round), 50);
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

/** A flood of 2,400 requests of 4 kB each; a server that kept a third of it would be seen. */
const mostGrowth = 3_000_000;

test("a flood of hostile requests leaves nothing behind in memory", async () => {
  expect(await growthUnder((parts) => parts)).toBeLessThan(mostGrowth);
}, 180_000);

test("a server that remembers something of each request would be seen", async () => {
  const remembered: string[] = [];
  const growth = await growthUnder((parts) => ({
    ...parts,
    tokens: {
      ...parts.tokens,
      read(header) {
        remembered.push(Buffer.alloc(4000).toString("latin1"));
        return parts.tokens.read(header);
      },
    },
  }));
  expect(growth).toBeGreaterThan(mostGrowth);
  expect(remembered.length).toBeGreaterThan(0);
}, 180_000);
