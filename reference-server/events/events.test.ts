import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../embedded.ts";
import { type Account, at, linkStore, openAccount, order } from "../test-client.ts";
import { openReceiver, status, type TestReceiver } from "../test-receiver.ts";

let server: RunningServer;
let receiver: TestReceiver;

beforeAll(async () => {
  server = await startReferenceServer();
  receiver = await openReceiver();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

let count = 0;

/** A new integrator with a store and one subscribed address of its own. */
async function subscribed(more: object = {}) {
  const account = await openAccount(server);
  await linkStore(account);
  const path = `/hook-${++count}`;
  const { origin, ca } = receiver;
  await account.control("POST", "/trusted-receivers", { origin, ca_pem: ca });
  const created = await account.send("POST", "/v1/webhooks", { url: `${origin}${path}`, ...more });
  expect(created.status).toBe(201);
  return { account, path, id: String(at(created.body, "id")), secret: String(at(created.body, "secret")) };
}

function create({ send }: Account, more: object = {}) {
  const ref = `r${++count}`;
  return send("POST", "/v1/deliveries", order(ref, more), { "idempotency-key": `key-${ref}-00` });
}

const advance = ({ clientId, control }: Account, seconds: number) =>
  control("POST", `/integrators/${clientId}/clock/advance`, { seconds });

describe("an event", () => {
  test("is the delivery as GET shows it, signed", async () => {
    const { account, path, secret } = await subscribed();
    const created = await create(account);
    const [first, second] = await receiver.until(path, 2);
    expect([first?.event.type, second?.event.type].sort()).toEqual(["delivery.created", "delivery.queued"]);
    expect(first?.event.data).toEqual(created.body);
    expect(first?.headers["webhook-id"]).toBe(first?.event.id);
    new Verifier(secret).verify(first?.body ?? "", Object(first?.headers));
  });

  test("is sent eight times, on time, with the same id and bytes and a timestamp of its own", async () => {
    const { account, path } = await subscribed({ event_types: ["delivery.created"] });
    receiver.answer(path, status(500));
    await create(account);
    await receiver.until(path, 1);
    expect((await advance(account, 40 * 3600)).status).toBe(200);
    const arrivals = receiver.at(path);
    expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(arrivals.map(({ body }) => body)).size).toBe(1);
    const times = arrivals.map(({ headers }) => Number(headers["webhook-timestamp"]));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  });
});
