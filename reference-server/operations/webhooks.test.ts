import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;
  let count = 0;

  beforeAll(async () => {
    server = await database.start();
  });
  afterAll(() => server.close());

  const add = (more: object = {}) =>
    account.api.post("/v1/webhooks").send({ url: `https://hooks.example/${++count}`, ...more });
  const register = async (more?: object) => {
    account = await openAccount(server);
    return add(more).expect(201);
  };
  const listed = async () => (await account.api.get("/v1/webhooks")).body.items;

  test("a subscription shows its secret once, and has the fourteen kinds by default", async () => {
    const { secret, ...shown } = (await register()).body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown.event_types).toHaveLength(14);
    expect(shown.event_types).not.toContain("delivery.courier_location");
    expect(shown).toMatchObject({ status: "ACTIVE", failing_since: null, description: null });
    expect(await listed()).toEqual([shown]);
  });

  test("event types and description are stored as sent", async () => {
    const subscription = { event_types: ["delivery.courier_location"], description: "mutfak" };
    expect((await register(subscription)).body).toMatchObject(subscription);
  });

  test("a sixth active subscription is refused, also concurrently, until one is deleted", async () => {
    const first = await register();
    const others = await Promise.all(Array.from({ length: 6 }, () => add()));
    expect(others.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409]);
    expect((await add()).body.error.code).toBe("ABONELIK_SINIRI");
    await account.api.delete(`/v1/webhooks/${first.body.id}`);
    await add().expect(201);
  });

  test("a rotation changes only the secret", async () => {
    const created = await register();
    const rotated = await account.api.post(`/v1/webhooks/${created.body.id}/rotate`).expect(200);
    expect(rotated.body).toEqual({ ...created.body, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.body.secret).not.toBe(created.body.secret);
  });

  test("deleted, other integrators' and unknown subscriptions get the same response", async () => {
    const { id: theirs } = (await register()).body;
    const created = await register();
    const path = `/v1/webhooks/${created.body.id}`;
    await account.api.delete(path).expect(204);
    const nobody = "3f1c9a52-90d1-4c57-8a3f-2f6f0a7b9c10";
    for (const absent of [path, `/v1/webhooks/${theirs}`, `/v1/webhooks/${nobody}`, "/v1/webhooks/x"]) {
      await account.api.delete(absent).expect(404);
      await account.api.post(`${absent}/rotate`).expect(404);
      await account.api.post(`${absent}/test`).expect(404);
    }
    expect(await listed()).toEqual([]);
  });
});
