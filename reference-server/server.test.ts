import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "./embedded.ts";
import { type Account, createDelivery, linkStore, openAccount, withToken } from "./testing/accounts.ts";
import { onEachDatabase } from "./testing/databases.ts";
import { store } from "./testing/orders.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;
  let other: Account;

  beforeAll(async () => {
    server = await database.start();
    [account, other] = [await openAccount(server), await openAccount(server)];
  });
  afterAll(() => server.close());

  test("records of another integrator are absent", async () => {
    await linkStore(account);
    const mine = await createDelivery(account, "S-1").expect(201);
    const path = `/v1/deliveries/${mine.body.id}`;
    await other.api.get(path).expect(404);
    await other.api.post(`${path}/cancel`).send({ reason: "x" }).expect(404);
    const { body } = await other.api.get("/v1/deliveries?external_ref=S-1").expect(200);
    expect(body.items).toEqual([]);
  });

  test("a restaurant of another integrator can't be linked", async () => {
    const link = async ({ control, api }: Account) => {
      const { body } = await control.post("/pairing-codes").send({ restaurant: "moda" });
      return api.post("/v1/stores").send({ ...store(body.pairing_code), external_store_id: "m" });
    };
    expect((await link(account)).status).toBe(201);
    expect((await link(other)).body.error.code).toBe("BASKA_POS");
  });

  test("without a control token there is no control interface", async () => {
    const plain = await database.start({ controlToken: null });
    await withToken(plain.url, "x").get("/control").expect(404);
    await plain.close();
  });
});
