import supertest, { type Agent } from "supertest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  createDelivery,
  linkStore,
  openAccount,
  withToken,
} from "../../reference-server/testing/accounts.ts";
import { order } from "../../reference-server/testing/orders.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf } from "../testing/console.ts";
import type { RequestDetail, RequestPage } from "./types.ts";

let server: RunningServer;
let console: Agent;
let someone: Account;

beforeAll(async () => {
  server = await startReferenceServer({ mutate: withSandbox(null) });
  console = consoleOf(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  someone = await openAccount(server);
  await linkStore(someone);
});

const logged = async (filter: Record<string, string> = {}): Promise<RequestPage> =>
  (
    await console
      .get("/requests")
      .query({ client_id: someone.clientId, ...filter })
      .expect(200)
  ).body;
const detailed = async (id: number | undefined): Promise<RequestDetail> =>
  (await console.get(`/requests/${id}`).expect(200)).body;
/** The integrator's latest request. It is logged just after its response. */
async function latest(path: string, status: number): Promise<RequestDetail> {
  const newest = async () => (await logged()).items[0];
  await expect.poll(newest).toMatchObject({ path, status });
  return detailed((await logged()).items[0]?.id);
}

test("a delivery: method, path, status, duration, and bodies both ways", async () => {
  const { body: delivery } = await createDelivery(someone, "17").expect(201);
  const found = await latest("/v1/deliveries", 201);
  expect(found).toMatchObject({
    client_id: someone.clientId,
    method: "POST",
    status: 201,
    code: null,
    took_ms: expect.any(Number),
    delivery_id: delivery.id,
    request_headers: { authorization: "Bearer [redacted]", "idempotency-key": expect.any(String) },
    response_headers: { "x-ratelimit-limit": "1200" },
  });
  expect(JSON.parse(found.request_body?.text ?? "")).toEqual(order("17"));
  expect(JSON.parse(found.response_body?.text ?? "")).toEqual(delivery);
  expect(found.request_body?.bytes).toBe(Buffer.byteLength(JSON.stringify(order("17"))));
});

test.each([
  [400, "/v1/quotes", () => someone.api.post("/v1/quotes").send({}), "DOGRULAMA"],
  [404, "/v1/nothing", () => someone.api.get("/v1/nothing"), "BULUNAMADI"],
  [415, "/v1/quotes", () => someone.api.post("/v1/quotes").type("text").send("x"), expect.any(String)],
] as const)("a refused request: %i %s", async (status, path, ask, code) => {
  const { body } = await ask().expect(status);
  const found = await latest(path, status);
  expect(found).toMatchObject({ code });
  expect(JSON.parse(found.response_body?.text ?? "")).toEqual(body);
});

test("beyond the limit: 429 with the time to wait", async () => {
  const limited = await startReferenceServer({
    mutate: (deps) => {
      const { rate } = deps.limits;
      const integrator = { requests: 1, windowMs: Number.MAX_SAFE_INTEGER };
      return withSandbox(null)({
        ...deps,
        limits: { ...deps.limits, rate: { ...rate, integrator } },
      });
    },
  });
  const another = await openAccount(limited);
  for (const status of [200, 429]) await another.api.get("/v1/stores").expect(status);
  const refused = async () => (await consoleOf(limited).get("/requests?status=429")).body.items;
  await expect.poll(refused).toMatchObject([{ client_id: another.clientId, code: "HIZ_SINIRI" }]);
  await limited.close();
});

test("a request with an expired token is attributed to its integrator", async () => {
  await someone.control.post(`/integrators/${someone.clientId}/clock/advance`).send({ seconds: 1801 });
  await someone.api.get("/v1/stores").expect(401);
  expect(await latest("/v1/stores", 401)).toMatchObject({ code: "SURESI_DOLDU" });
});

test("requests of unknown senders are listed too, and none contains a secret", async () => {
  const secret = "a-secret-of-my-own";
  const grant = { grant_type: "client_credentials", client_id: someone.clientId, client_secret: secret };
  await supertest(server.url).post("/oauth/token").send(grant).expect(401);
  expect(await latest("/oauth/token", 401)).toMatchObject({ code: "invalid_client" });
  await withToken(server.url, secret).get("/v1/stores").query({ access_token: secret }).expect(401);
  const nobodys = async () => (await console.get("/requests").query({ status: "401" })).body.items[0];
  await expect.poll(nobodys).toMatchObject({ client_id: null, path: "/v1/stores?access_token=[redacted]" });
  const all: RequestPage = (await console.get("/requests?limit=200").expect(200)).body;
  const details = await Promise.all(all.items.map(({ id }) => detailed(id)));
  const text = JSON.stringify(details);
  for (const hidden of [secret, someone.token, server.controlToken ?? "?"])
    expect(text).not.toContain(hidden);
  expect(text).not.toMatch(/"(?:client_secret|access_token|pairing_code)\\":\s*\\"(?!\[redacted\])/);
});

test("searched, filtered and paged, with total counts", async () => {
  for (let count = 0; count < 5; count++) await createDelivery(someone, `paged-${count}`).expect(201);
  await someone.api.get("/v1/deliveries/unknown").expect(404);
  await latest("/v1/deliveries/unknown", 404);
  // A token and a store request came before.
  const all = await logged({ limit: "3" });
  expect(all).toMatchObject({ total: 8, by_state: { 2: 7, 4: 1 }, most: 5000 });
  const next = await logged({ limit: "3", offset: "3" });
  expect([...all.items, ...next.items].map(({ id }) => id)).toEqual(
    [...new Set([...all.items, ...next.items].map(({ id }) => id))].toSorted((a, b) => b - a),
  );
  expect(await logged({ status: "4" })).toMatchObject({ total: 1, by_state: { 2: 7, 4: 1 } });
  expect((await logged({ text: "paged-3" })).total).toBe(1);
  expect((await logged({ method: "POST" })).total).toBe(7);
  expect((await logged({ to: "2020-01-01T00:00:00Z" })).total).toBe(0);
});

test.each(["limit=0", "limit=x", "offset=-1", "from=yesterday", "client_id=nobody"])(
  "refuses an invalid query: %s",
  async (query) => {
    const { status } = await console.get(`/requests?${query}`);
    expect(status).toBe(query.startsWith("client_id") ? 404 : 400);
  },
);

test("long bodies are truncated", async () => {
  for (let count = 0; count < 40; count++) await createDelivery(someone, `long-${count}`).expect(201);
  await someone.api.get("/v1/deliveries").expect(200);
  const list = await latest("/v1/deliveries", 200);
  expect(list.response_body).toMatchObject({ is_whole: false });
  expect(list.response_body?.text.length).toBeLessThanOrEqual(32_768);
  expect(list.response_body?.bytes).toBeGreaterThan(32_768);
});

test("a request that is no longer kept isn't found", () => console.get("/requests/99999").expect(404));
