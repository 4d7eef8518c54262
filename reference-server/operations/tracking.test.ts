import supertest from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import {
  type Account,
  actAsCourier,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
} from "../testing/accounts.ts";
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

  const courier = { name: "Mehmet Ali Demir", phone: "+905325550177", plate: "34 ABC 123" };
  const location = { lat: 41.0123, lng: 28.9876 };

  async function opened(name: string, more: object = {}) {
    const { body } = await createDelivery(account, name, more).expect(201);
    const key = body.tracking_url.split("/").at(-1);
    return { id: body.id, path: `/v1/public/tracking/${key}` };
  }
  const track = (path: string) => supertest(server.url).get(path);
  const move = (id: string, action: string, more?: object) =>
    actAsCourier(account, id, action, more).expect(204);

  describe("public tracking", () => {
    test("contains no customer data and no address, and only the courier's first name", async () => {
      const { id, path } = await opened("privacy", {
        notes: "Kırmızı kapı",
        customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23", note: "Zil bozuk" },
        dropoff: { text: "Divanyolu Caddesi 12", directions: "Kat 3", lat: 41.02, lng: 28.99 },
        require_pin: true,
      });
      await move(id, "assigned", { courier, location });
      const pin = (await account.api.get(`/v1/deliveries/${id}`)).body.delivery_pin;
      expect(pin).toMatch(/^\d+$/);
      const { body } = await track(path).expect(200);
      expect(body.courier).toEqual({ name: "Mehmet" });
      const text = JSON.stringify(body);
      const private_ = ["Ayşe", "Yılmaz", "5550123", "555 01 23", "Divanyolu", "Kat 3", "Zil", "Kırmızı"];
      for (const word of [...private_, "Demir", "5550177", "34 ABC", "Sultanahmet", `"${pin}"`]) {
        expect(text).not.toContain(word);
      }
    });

    test("shows the position only while the package is with the courier", async () => {
      const { id, path } = await opened("position");
      const shown = async () => JSON.stringify((await track(path)).body).includes("41.0123");
      const seen: boolean[] = [];
      for (const action of ["assigned", "at_pickup", "picked_up", "en_route", "arrived", "delivered"]) {
        await move(id, action, { location });
        seen.push(await shown());
      }
      expect(seen).toEqual([false, false, true, true, true, false]);
    });

    test("ends two hours after delivery or cancellation, on the integrator's clock", async () => {
      const delivered = await opened("delivered");
      for (const action of ["assigned", "picked_up", "en_route", "delivered"])
        await move(delivered.id, action);
      const cancelled = await opened("cancelled");
      await account.api.post(`/v1/deliveries/${cancelled.id}/cancel`).send({ reason: "Vazgeçildi" });
      const open = await opened("open");

      await advanceClock(account, 7200 - 60);
      for (const { path } of [delivered, cancelled, open]) await track(path).expect(200);
      await advanceClock(account, 60);
      for (const { path } of [delivered, cancelled]) {
        const { body } = await track(path).expect(410);
        expect(body.error.code).toBe("TAKIP_KAPANDI");
      }
      await track(open.path).expect(200);
    });

    test("an unknown key is not found", async () => {
      const { body } = await track("/v1/public/tracking/no-such-key")
        .expect(404)
        .expect("x-ratelimit-limit", "60");
      expect(body.error.code).toBe("BULUNAMADI");
    });
  });
});
