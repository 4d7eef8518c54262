import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { limits } from "../../limits.ts";
import { type Account, createDelivery, linkStore, openAccount } from "../accounts.ts";
import { order } from "../orders.ts";
import { expectRefusal } from "./refusal.ts";

let server: RunningServer;
let account: Account;
const faults: unknown[] = [];
const open: Socket[] = [];

const MAX_UNREAD = 3_000_000;

beforeAll(async () => {
  server = await startReferenceServer({
    mutate: (deps) => ({
      ...deps,
      limits: { ...deps.limits, unreadBytes: MAX_UNREAD, page: { ...deps.limits.page, bytes: 1_000_000 } },
    }),
    reportFault: (error) => faults.push(error),
  });
  account = await openAccount(server);
  await linkStore(account);
});
afterAll(() => server.close());
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  expect(faults).toEqual([]);
});

/** An order near the size limit. */
const largeOrder = (ref: string) => {
  const name = "x".repeat(600);
  return { ...order(ref), items: Array.from({ length: 190 }, () => ({ name, quantity: 1, total: 0 })) };
};

const jsonOf = (bytes: number) => ({ x: "y".repeat(bytes) });

describe("each operation has a size limit for its body", () => {
  test("a large order is accepted, and a larger one refused", async () => {
    const { api } = account;
    const large = largeOrder("large");
    expect(JSON.stringify(large).length).toBeGreaterThan(100_000);
    await api.post("/v1/deliveries").set("idempotency-key", "large-order").send(large).expect(201);
    const longer = { ...large, ...jsonOf(40_000) };
    const answer = await api.post("/v1/deliveries").set("idempotency-key", "longer-order").send(longer);
    expect(answer.status).toBe(413);
    expectRefusal(answer);
  });

  test.each(["/oauth/token", "/v1/quotes", "/v1/stores", "/v1/webhooks"])("%s", async (path) => {
    const answer = await account.api.post(path).send(jsonOf(limits.bodyBytes.small));
    expect(answer.status).toBe(413);
    expectRefusal(answer);
  });
});

test("a body of the wrong shape is refused without traversing it", async () => {
  const shapes = `[${Array.from({ length: 5_000 }, () => "{}").join()}]`;
  const { api } = account;
  const answer = await api.post("/oauth/token").type("json").send(shapes).expect(400);
  expect(answer.body.error.details).toMatchObject({ field: "body" });
});

const NUMBERS_THAT_ARE_NONE = [
  "Infinity",
  "-Infinity",
  "1e999",
  "-1e999",
  "NaN",
  "0x10",
  "0b11",
  "0o17",
  "1_000",
  "010",
  "+5",
  "%205",
  "5%20",
  "5.",
  ".5",
  "1e400",
  "5n",
  "٥",
  "５",
  "5%00",
  "5,5",
  "1".repeat(400),
  "-0.5",
  "1e-400",
];

test.each(NUMBERS_THAT_ARE_NONE)("?limit=%s is refused without an unexpected error", async (limit) => {
  const answer = await account.api.get(`/v1/deliveries?limit=${limit}`).expect(400);
  expectRefusal(answer);
});

describe("pages of large deliveries", () => {
  beforeAll(async () => {
    for (let index = 0; index < 25; index += 1)
      await createDelivery(account, `page-${index}`, largeOrder(`page-${index}`)).expect(201);
  });

  test("have fewer items and has_more, and list each delivery once", async () => {
    const seen: string[] = [];
    let since = "";
    let pages = 0;
    for (let more = true; more; pages += 1) {
      const { body, text } = await account.api.get(`/v1/deliveries?limit=200${since}`).expect(200);
      expect(Buffer.byteLength(text)).toBeLessThan(1_200_000);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      more = body.has_more;
      since = `&since=${encodeURIComponent(body.next_cursor)}`;
    }
    expect(pages).toBeGreaterThan(2);
    expect(seen.length).toBeGreaterThanOrEqual(25);
    expect(new Set(seen).size).toBe(seen.length);
  });

  /** Connections that send requests and never read the responses. */
  function unread(count: number): readonly Socket[] {
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).pause());
    open.push(...sockets);
    return sockets;
  }

  test("that aren't read are limited per integrator, and don't affect others", async () => {
    const other = await openAccount(server);
    const ask = `GET /v1/deliveries?limit=200 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.token}\r\n\r\n`;
    const sockets = unread(3);
    const status = () => account.api.get("/v1/deliveries?limit=200").then((answer) => answer.status);
    // The operating system buffers the first ones.
    const statusAfterMore = () => {
      for (const socket of sockets) socket.write(ask);
      return status();
    };
    await expect.poll(statusAfterMore).toBe(429);
    await expect.poll(status).toBe(429);
    await other.api.get("/v1/deliveries").expect(200);
    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(status).toBe(200);
  });
});
