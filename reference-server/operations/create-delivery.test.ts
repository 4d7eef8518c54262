import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, createDelivery, linkStore, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;

  beforeAll(async () => {
    server = await database.start();
    account = await openAccount(server);
    await linkStore(account);
  });
  afterAll(() => server.close());

  const createUnder = (key: string, ref: string, more?: object) =>
    createDelivery(account, ref, more).set("idempotency-key", key);

  test("twenty concurrent requests with one key create one delivery", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => createUnder("one-key-for-all", "K-1")),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("a refused request doesn't use up its key", async () => {
    const far = { dropoff: { text: "Kızılay", lat: 39.92, lng: 32.85 } };
    const refused = await createUnder("key-of-a-refusal", "F-1", far).expect(422);
    expect(refused.body.error.details).toEqual({ road_km: expect.any(Number), max_km: 15 });
    await createUnder("key-of-a-refusal", "F-1").expect(201);
    await createUnder("key-of-a-refusal", "F-2").expect(409);
  });

  test("a quote matches the delivery created afterwards", async () => {
    const point = { lat: 41.03, lng: 28.97 };
    const quote = await account.api
      .post("/v1/quotes")
      .send({ store: { external_store_id: "s1" }, dropoff: point });
    const delivery = await createDelivery(account, "Q-1", { dropoff: { text: "x", ...point } });
    for (const name of ["distance_m", "road_km", "fee"]) {
      expect(quote.body[name]).toBeTruthy();
      expect(delivery.body[name]).toEqual(quote.body[name]);
    }
  });

  test("an order without coordinates is RECEIVED, and its credit is refunded when it is cancelled", async () => {
    const mine = await openAccount(server);
    await linkStore(mine);
    const consumed = async () =>
      (await mine.control.get(`/integrators/${mine.clientId}/credit`)).body.consumed;
    const opened = await createDelivery(mine, "R-1", { dropoff: { text: "Kadıköy", lat: 0, lng: 0 } });
    expect(opened.body).toMatchObject({ status: "RECEIVED", version: 1, fee: null });
    expect(await consumed()).toBe(1);
    const path = `/v1/deliveries/${opened.body.id}`;
    const located = await mine.api.patch(path).send({ dropoff: { text: "Moda", lat: 40.98, lng: 29.02 } });
    expect(located.body).toMatchObject({ status: "QUEUED", distance_m: expect.any(Number) });
    await mine.api.post(`${path}/cancel`).send({ reason: "vazgeçti" }).expect(200);
    const again = await mine.api.post(`${path}/cancel`).send({ reason: "yine" });
    expect(again.body.error.code).toBe("SON_DURUM");
    expect(await consumed()).toBe(0);
  });
});
