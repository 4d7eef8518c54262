import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, at, openAccount } from "../testing/client.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;
  let count = 0;

  beforeAll(async () => {
    server = await database.start();
  });
  afterAll(() => server.close());

  const register = async (more: object = {}) => {
    account = await openAccount(server);
    return account.send("POST", "/v1/webhooks", { url: `https://hooks.example/${++count}`, ...more });
  };
  const add = () => account.send("POST", "/v1/webhooks", { url: `https://hooks.example/${++count}` });
  const listed = async (who = account) => at((await who.send("GET", "/v1/webhooks")).body, "items");

  test("a subscription shows its secret once, and has the fourteen kinds by default", async () => {
    const created = await register();
    expect(created.status).toBe(201);
    const { secret, ...shown } = Object(created.body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown.event_types).toHaveLength(14);
    expect(shown.event_types).not.toContain("delivery.courier_location");
    expect(shown).toMatchObject({ status: "ACTIVE", failing_since: null, description: null });
    expect(await listed()).toEqual([shown]);
  });

  test("kinds and description are kept as they were sent", async () => {
    const wish = { event_types: ["delivery.courier_location"], description: "mutfak" };
    expect((await register(wish)).body).toMatchObject(wish);
  });

  test("a sixth active address is refused, also of several at once, until one is deleted", async () => {
    const first = await register();
    const others = await Promise.all(Array.from({ length: 6 }, add));
    expect(others.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409]);
    expect(at((await add()).body, "error", "code")).toBe("ABONELIK_SINIRI");
    await account.send("DELETE", `/v1/webhooks/${at(first.body, "id")}`);
    expect((await add()).status).toBe(201);
  });

  test("rotating gives a new secret and changes nothing else", async () => {
    const created = await register();
    const rotated = await account.send("POST", `/v1/webhooks/${at(created.body, "id")}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({ ...Object(created.body), secret: expect.stringMatching(/^whsec_/) });
    expect(at(rotated.body, "secret")).not.toBe(at(created.body, "secret"));
  });

  test("a deleted one, someone else's and none at all are alike", async () => {
    const theirs = at((await register()).body, "id");
    const created = await register();
    const path = `/v1/webhooks/${at(created.body, "id")}`;
    expect((await account.send("DELETE", path)).status).toBe(204);
    const nobody = "3f1c9a52-90d1-4c57-8a3f-2f6f0a7b9c10";
    for (const at of [path, `/v1/webhooks/${theirs}`, `/v1/webhooks/${nobody}`, "/v1/webhooks/x"]) {
      expect((await account.send("DELETE", at)).status).toBe(404);
      expect((await account.send("POST", `${at}/rotate`)).status).toBe(404);
      expect((await account.send("POST", `${at}/test`)).status).toBe(404);
    }
    expect(await listed()).toEqual([]);
  });
});
