import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { LOOPBACK_RECEIVER, type TargetSettings } from "../sample-data/settings.ts";
import { Session } from "../session.ts";
import type { LimitExhaustion } from "./identity-pool.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/**
 * A service with only tokens and integrators. It counts anonymous requests for each source address, or for all
 * addresses together.
 */
async function tokenService({ oneAddress = false, issuesTokens = false } = {}) {
  const issued: string[] = [];
  const operations = ["createIntegrator", ...(issuesTokens ? ["issueToken"] : [])];
  const asked = new Map<string, number>();
  const requests = new Map<string, number>();
  const count = (counts: Map<string, number>, address: string) => {
    counts.set(address, (counts.get(address) ?? 0) + 1);
    return counts.get(address) ?? 0;
  };
  const server = createServer((request, response) => {
    const from = oneAddress ? "a balancer's" : (request.socket.remoteAddress ?? "");
    if (request.url === "/oauth/token") count(asked, from);
    const left = 300 - count(requests, from);
    request.resume();
    if (request.url?.endsWith("/token") && request.url.startsWith("/control")) {
      issued.push(request.url);
      response.writeHead(201, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ access_token: `issued-${issued.length}`, token_type: "Bearer", expires_in: 1800 }),
      );
      return;
    }
    if (request.url?.startsWith("/control")) {
      const made = { client_id: randomUUID(), client_secret: randomUUID() };
      const facts = { operations, clock: "real" };
      response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(request.method === "POST" ? made : facts));
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "x-ratelimit-remaining": String(left) });
    response.end(
      JSON.stringify({ access_token: `token-${left}-of-${from}`, token_type: "Bearer", expires_in: 1800 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked, issued };
}

const target = (url: string, rest: Partial<TargetSettings>): TargetSettings => ({
  url,
  credentials: [],
  pairingCodes: [],
  control: undefined,
  receiver: LOOPBACK_RECEIVER,
  point: { lat: 41, lng: 29 },
  answerMs: 5_000,
  maxWaitMs: 0,
  ...rest,
});

test("an integrator whose address has no new tokens left uses another address without waiting", async () => {
  const { url, asked } = await tokenService();
  const waits: string[] = [];
  const credentials = [{ client_id: "pos", client_secret: "secret-of-the-test" }];
  const session = await Session.open(target(url, { credentials }), { notice: (text) => waits.push(text) });
  open.push(() => session.close());
  const [grant] = await session.identities.acquire(1, { alone: false });
  for (let i = 0; i < 70; i += 1) (await grant?.identity.obtainToken())?.expectStatus(200);
  expect(waits).toEqual([]);
  expect([...asked.values()].reduce((sum, one) => sum + one, 0)).toBe(70);
  expect(Math.max(...asked.values()), "new tokens at one address, of which 30 a minute are allowed").toBe(29);
});

test("an integrator that has used half its limit isn't used while others can be created", async () => {
  const { url } = await tokenService();
  const control = { url: `${url}/control`, token: "control-token-of-the-test" };
  const session = await Session.open(target(url, { control }));
  open.push(() => session.close());
  const takeOne = async () => {
    const [grant] = await session.identities.acquire(1, { alone: true });
    grant?.release();
    return grant?.identity;
  };
  const first = await takeOne();
  expect(await takeOne()).toBe(first);
  for (let i = 0; i < 600; i += 1) first?.budget.spend();
  const second = await takeOne();
  expect(second).not.toBe(first);
  expect(await takeOne()).toBe(second);
});

test("a check that exhausts a limit from below takes the busiest shared integrator, which a new one replaces", async () => {
  const { url } = await tokenService();
  const control = { url: `${url}/control`, token: "control-token-of-the-test" };
  const session = await Session.open(target(url, { control }));
  open.push(() => session.close());
  const { identities } = session;
  const shared = [];
  for (const requests of [10, 600, 1140]) {
    const [grant] = await identities.acquire(1, { alone: false });
    for (let i = 0; i < requests; i += 1) grant?.identity.budget.spend();
    grant?.release();
    shared.push(grant?.identity);
  }
  const [taken] = await identities.acquire(1, { alone: true, exhaustsRateLimit: "from-below" });
  // The last integrator is so close to its limit that the check's own requests would wait.
  expect(taken?.identity).toBe(shared[1]);
  if (taken) taken.identity.isRetired = true;
  taken?.release();
  const later = (await identities.acquire(3, { alone: false })).map(({ identity }) => identity);
  expect(later).not.toContain(shared[1]);
  expect(later).toContain(shared[0]);
  // A new integrator also replaces the one that is close to its limit.
  expect(later).not.toContain(shared[2]);
});

test("a check that nearly exhausts a limit takes the busiest shared integrator that has enough requests left, and then a check from below takes it", async () => {
  const { url } = await tokenService();
  const control = { url: `${url}/control`, token: "control-token-of-the-test" };
  const session = await Session.open(target(url, { control }));
  open.push(() => session.close());
  const { identities } = session;
  const shared = [];
  for (const requests of [10, 800, 870]) {
    const [grant] = await identities.acquire(1, { alone: false });
    for (let i = 0; i < requests; i += 1) grant?.identity.budget.spend();
    grant?.release();
    shared.push(grant?.identity);
  }
  const takeOne = async (exhaustsRateLimit: LimitExhaustion) => {
    const [grant] = await identities.acquire(1, { alone: true, exhaustsRateLimit });
    return grant;
  };
  // A new integrator replaces the last one, which has too few requests left for other checks.
  for (let i = 0; i < 3; i += 1) (await identities.acquire(1, { alone: false }))[0]?.release();
  const nearly = await takeOne("nearly");
  expect(nearly?.identity).toBe(shared[1]);
  nearly?.release();
  expect((await takeOne("from-below"))?.identity).toBe(shared[2]);
  for (let i = 0; i < 240; i += 1) nearly?.identity.budget.spend();
  expect((await takeOne("from-below"))?.identity).toBe(shared[1]);
});

test("an integrator that is replaced has enough requests left for a check that nearly exhausts its limit and one that exhausts it", async () => {
  const { url } = await tokenService();
  const control = { url: `${url}/control`, token: "control-token-of-the-test" };
  const session = await Session.open(target(url, { control }));
  open.push(() => session.close());
  const { identities } = session;
  const takeOne = async (exhaustsRateLimit?: LimitExhaustion) => {
    const [grant] = await identities.acquire(1, {
      alone: exhaustsRateLimit !== undefined,
      exhaustsRateLimit,
    });
    grant?.release();
    return grant?.identity;
  };
  const first = await takeOne();
  const spend = (requests: number) => {
    for (let i = 0; i < requests; i += 1) first?.budget.spend();
  };
  spend(826);
  const next = [await takeOne(), await takeOne(), await takeOne()];
  expect(next).not.toContain(first);
  // Checks that run during the replacement go on.
  spend(30);
  expect(await takeOne("nearly")).toBe(first);
  spend(250);
  expect(await takeOne("from-below")).toBe(first);
});

/** Acquires integrators for ten concurrent checks. */
async function tenHeld(service: { readonly url: string }) {
  const control = { url: `${service.url}/control`, token: "control-token-of-the-test" };
  const session = await Session.open(target(service.url, { control }));
  open.push(() => session.close());
  const held = await Promise.all(
    Array.from({ length: 10 }, () => session.identities.acquire(1, { alone: true })),
  );
  return { session, held: held.flat() };
}

test("at one address, which has 30 tokens a minute, the eleventh check that needs an integrator waits for another's", async () => {
  const { session, held } = await tenHeld(await tokenService({ oneAddress: true }));
  const eleventh = session.identities.acquire(1, { alone: true });
  const twelfth = session.identities.acquire(1, { alone: true });
  held[3]?.release();
  const [grant] = await eleventh;
  expect(grant?.identity).toBe(held[3]?.identity);
  grant?.release();
  expect((await twelfth)[0]?.identity).toBe(held[3]?.identity);
});

test("with several addresses it gets its own integrator", async () => {
  const { session, held } = await tenHeld(await tokenService());
  const [grant] = await session.identities.acquire(1, { alone: true });
  expect(held.map(({ identity }) => identity)).not.toContain(grant?.identity);
});

test("if the control interface issues tokens, no check waits, and none uses the token endpoint", async () => {
  const service = await tokenService({ oneAddress: true, issuesTokens: true });
  const { session, held } = await tenHeld(service);
  const [eleventh] = await session.identities.acquire(1, { alone: true });
  const all = [...held, ...(eleventh ? [eleventh] : [])].map(({ identity }) => identity);
  for (const identity of all) await identity.token();
  expect([...service.asked.values()]).toEqual([]);
  expect(service.issued).toHaveLength(11);
});

test("an integrator that has to use the token endpoint no longer uses issued tokens", async () => {
  const service = await tokenService({ oneAddress: true, issuesTokens: true });
  const { held } = await tenHeld(service);
  const last = held.map(({ identity }) => identity).findLast(({ usesTokenEndpoint }) => !usesTokenEndpoint);
  expect(await last?.token()).toBe("issued-1");
  last?.useTokenEndpoint();
  expect(await last?.token()).toMatch(/^token-/);
  expect([...service.asked.values()]).toEqual([1]);
});

test("an integrator released by a check of tokens uses issued tokens again", async () => {
  const service = await tokenService({ oneAddress: true, issuesTokens: true });
  const { session, held } = await tenHeld(service);
  held[0]?.identity.useTokenEndpoint();
  held[0]?.release();
  const [grant] = await session.identities.acquire(1, { alone: true });
  expect(grant?.identity).toBe(held[0]?.identity);
  expect(await grant?.identity.token()).toMatch(/^issued-/);
});

test("checks of tokens share one integrator that uses the token endpoint, and no other does", async () => {
  const service = await tokenService({ oneAddress: true, issuesTokens: true });
  const { session, held } = await tenHeld(service);
  const signedIn = async () => {
    const [grant] = await session.identities.acquire(1, { alone: true, usesTokenEndpoint: true });
    grant?.identity.useTokenEndpoint();
    await grant?.identity.token();
    grant?.release();
    return grant?.identity;
  };
  const first = await signedIn();
  expect(await signedIn()).toBe(first);
  for (const { identity } of held) await identity.token();
  expect([...service.asked.values()]).toEqual([1]);
});
