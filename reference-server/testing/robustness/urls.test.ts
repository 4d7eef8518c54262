import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { type Account, linkStore, openAccount } from "../accounts.ts";
import { request, say } from "./raw-socket.ts";
import { expectNoLeak, expectRefusal } from "./refusal.ts";

let server: RunningServer;
let account: Account;
const faults: unknown[] = [];

beforeAll(async () => {
  server = await startReferenceServer({ reportFault: (error) => faults.push(error) });
  account = await openAccount(server);
  await linkStore(account);
});
afterAll(() => server.close());
afterEach(() => expect(faults).toEqual([]));

describe("path and query are treated as text", () => {
  test.each([
    ["/v1/stores/%00", 404],
    ["/v1/stores/__proto__", 404],
    ["/v1/stores/s1%2f..", 404],
    ["/v1/stores/..%2fs1", 404],
    ["/v1/stores/s1%20", 404],
    ["/v1/stores/'%20or%201=1--", 404],
    [`/v1/stores/${"x".repeat(5000)}`, 404],
    ["/v1/deliveries/%00", 404],
    ["/v1/deliveries?external_ref=%00", 400],
    ["/v1/deliveries?since=%00", 400],
    ["/v1/deliveries?since=__proto__", 400],
    ["/v1/deliveries?external_ref=a&external_ref=b", 400],
    ["/v1/deliveries?limit=1&limit=2", 400],
    ["/v1/deliveries?limit=1e9", 400],
    ["/v1/deliveries?from=2030-01-01", 400],
  ])("%s: %i", async (path, status) => {
    expectRefusal(await account.api.get(path).expect(status));
  });

  test.each([
    "?__proto__=1&constructor=2&hasOwnProperty=3",
    "?limit[]=1&limit[x]=2",
    "?external_ref=%ff",
    "?external_ref='%3B%20drop%20table%20deliveries%3B--",
    "?status=,,,",
    "?external_store_id=%F0%9F%91%A9",
    "?&&&=&=",
  ])("/v1/deliveries%s is a page", async (query) => {
    const { text } = await account.api.get(`/v1/deliveries${query}`).expect(200);
    expectNoLeak(text);
  });
});

describe("paths are matched exactly", () => {
  test.each([
    "//healthz",
    "/healthz/",
    "/HEALTHZ",
    "/v1/../healthz",
    "/v1/%2e%2e/healthz",
    "/%2fhealthz",
    "/healthz;a=b",
    "/healthz%00",
    "/healthz%20",
    "/%zz",
    "/v1/stores%2f..%2f..%2fhealthz",
    "*",
    "/__proto__",
    "/v1/constructor",
  ])("%s isn't a path of the service", async (path) => {
    const [answer] = await say(server.url, request(`GET ${path}`));
    expect(answer?.status).toBe(404);
    expectRefusal(answer);
  });

  test.each(["/healt%68z", "/healthz?", "/healthz?a[]=1&a[]=2&__proto__[x]=1", "http://elsewhere/healthz"])(
    "%s is the health check",
    async (path) => {
      const [answer] = await say(server.url, request(`GET ${path}`));
      expect(answer?.status).toBe(200);
    },
  );
});
