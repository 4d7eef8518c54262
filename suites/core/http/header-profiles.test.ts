import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { openConnections, sendRequest } from "./connections.ts";
import { FETCH_PROFILE, HeaderProfiles, PLAIN_STYLES, withTrace } from "./header-profiles.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server that reports the names and values of received headers as they were on the wire. */
async function listen(): Promise<{ readonly url: string; readonly heads: string[][] }> {
  const heads: string[][] = [];
  const server: Server = createServer((request, response) => {
    heads.push(request.rawHeaders);
    request.resume().once("end", () => response.end("ok"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`, heads };
}

const GIVEN = { accept: "application/json", "content-type": "application/json", authorization: "Bearer x" };

describe.for([FETCH_PROFILE, ...PLAIN_STYLES])("a request with the profile of $userAgent", (style) => {
  test("has the headers of the profile in its order and spelling, each once", async () => {
    const { url, heads } = await listen();
    const connections = openConnections({ style });
    open.push(() => connections.close());
    for (const method of ["POST", "GET"]) {
      const body = method === "POST" ? "{}" : null;
      await sendRequest(connections, url, { method, headers: GIVEN, body }, { timeoutMs: 5_000 });
    }
    const names = heads.map((raw) => raw.filter((_, index) => index % 2 === 0));
    for (const seen of names) {
      const ownPlaces = seen.filter((name) => style.order.includes(name));
      expect(ownPlaces).toEqual(style.order.filter((name) => seen.includes(name)));
      const lower = seen.map((name) => name.toLowerCase());
      expect(new Set(lower).size).toBe(lower.length);
      expect(lower).toEqual(expect.arrayContaining(["host", "user-agent", ...Object.keys(GIVEN)]));
    }
    const values = Object.fromEntries(
      (heads[0] ?? []).map((text, at, all) => [text.toLowerCase(), all[at + 1]]),
    );
    expect(values).toMatchObject({ ...GIVEN, "user-agent": style.userAgent, "content-length": "2" });
    expect((heads[1] ?? []).map((text) => text.toLowerCase())).not.toContain("content-length");
  });
});

test("no two profiles write the same request", async () => {
  const { url, heads } = await listen();
  for (const style of [FETCH_PROFILE, ...PLAIN_STYLES]) {
    const connections = openConnections({ style });
    open.push(() => connections.close());
    await sendRequest(connections, url, { headers: GIVEN }, { timeoutMs: 5_000 });
  }
  const shapes = heads.map((raw) => raw.filter((_, index) => index % 2 === 0).join());
  expect(new Set(shapes).size).toBe(PLAIN_STYLES.length + 1);
  expect(heads.flat().filter((text) => /conform|undici/i.test(text))).toEqual([]);
});

describe("the sequence of profiles", () => {
  const agents = (seed: number, count: number) => {
    const styles = new HeaderProfiles(seed);
    return Array.from({ length: count }, () => styles.next());
  };

  test("alternates between the two HTTP clients, and uses each profile", () => {
    const all = agents(0, 2 * PLAIN_STYLES.length);
    expect(all.filter(({ program }) => program === "undici")).toHaveLength(PLAIN_STYLES.length);
    expect(new Set(all.map(({ userAgent }) => userAgent)).size).toBe(PLAIN_STYLES.length + 1);
  });

  test("depends on the seed alone", () => {
    const agentsOf = (seed: number) => agents(seed, 4).map(({ userAgent }) => userAgent);
    expect(agentsOf(4)).toEqual(agentsOf(4));
    expect(agentsOf(4)).not.toEqual(agentsOf(7));
  });

  test("has the suite's user agent in each profile if it is set", () => {
    const styles = new HeaderProfiles(5, "courier-conform/1");
    const all = [styles.next(), styles.next(), ...styles.all];
    expect(new Set(all.map(({ userAgent }) => userAgent))).toEqual(new Set(["courier-conform/1"]));
    expect(new Set(all.map(({ program }) => program)).size).toBe(2);
  });
});

test("a request with the suite's user agent has its own traceparent, and other requests have none", () => {
  const [own, ordinary] = [new HeaderProfiles(1, "courier-conform/1").all, new HeaderProfiles(1).all];
  const traces = own.map((profile) => withTrace(profile, {}).traceparent ?? "");
  expect(traces.filter((trace) => !/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(trace))).toEqual([]);
  expect(new Set(traces).size).toBe(own.length);
  expect(ordinary.map((profile) => withTrace(profile, { accept: "*/*" }))).toEqual(
    ordinary.map(() => ({ accept: "*/*" })),
  );
});
