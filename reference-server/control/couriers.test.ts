import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, actAsCourier, createDelivery, linkStore, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;
  /** Events by delivery: kind and version. */
  const events = new Map<string, string[]>();

  beforeAll(async () => {
    server = await database.start({
      mutate: (deps) => ({
        ...deps,
        emit: async (all, tx, delivery, kind) => {
          events.set(delivery.id, [...(events.get(delivery.id) ?? []), `${kind} ${delivery.version}`]);
          return deps.emit(all, tx, delivery, kind);
        },
      }),
    });
    account = await openAccount(server);
    await linkStore(account);
  });
  afterAll(() => server.close());

  let count = 0;
  async function opened(more: object = {}): Promise<string> {
    count += 1;
    const { body } = await createDelivery(account, `courier-${count}`, more).expect(201);
    return body.id;
  }

  const read = async (id: string) => (await account.api.get(`/v1/deliveries/${id}`)).body;
  const move = (id: string, action: string, more?: object) => actAsCourier(account, id, action, more);
  async function moveAll(id: string, ...actions: string[]): Promise<void> {
    for (const action of actions) await move(id, action).expect(204);
  }

  describe("courier actions on a delivery", () => {
    test("each action emits one event with a higher version", async () => {
      const id = await opened({ require_pin: true });
      const way = ["offered", "offer_lapsed", "offered", "assigned", "at_pickup", "picked_up", "en_route"];
      await moveAll(id, ...way, "arrived", "delivered");
      expect(events.get(id)).toEqual([
        "delivery.created 1",
        "delivery.queued 1",
        "delivery.offered 2",
        "delivery.queued 3",
        "delivery.offered 4",
        "delivery.assigned 5",
        "delivery.at_pickup 6",
        "delivery.picked_up 7",
        "delivery.en_route 8",
        "delivery.arrived 9",
        "delivery.delivered 10",
      ]);
      const delivery = await read(id);
      expect(delivery).toMatchObject({ status: "DELIVERED", version: 10, pin_required: true });
      expect(delivery).toMatchObject({
        courier: { name: "Deniz Yılmaz", phone_masked: "+********0034", lat: null },
        assigned_at: expect.any(String),
        picked_up_at: expect.any(String),
        delivered_at: expect.any(String),
        payment: { collected_type: "NAKIT", collected_parts: [{ type: "NAKIT", amount: 245.5 }] },
      });
    });

    test("the courier is set at the assignment: the offered one, or the one named in the action", async () => {
      const courier = { name: "Ali Demir", phone: "0532 555 01 77", plate: "34 ABC 123" };
      const id = await opened();
      await move(id, "offered", { courier }).expect(204);
      expect((await read(id)).courier).toBeNull();
      await moveAll(id, "assigned");
      expect((await read(id)).courier).toMatchObject({ ...courier, phone: "+905325550177" });

      const other = await opened();
      const location = { lat: 41.01, lng: 28.98, heading: 90 };
      await move(other, "assigned", { courier, location }).expect(204);
      expect((await read(other)).courier).toMatchObject({
        ...location,
        location_at: (await read(other)).assigned_at,
      });
    });

    test("a position is accepted while a courier is assigned, and changes no state", async () => {
      const id = await opened();
      const location = { lat: 41.01, lng: 28.98 };
      await move(id, "courier_location", { location }).expect(409);
      await moveAll(id, "assigned");
      await move(id, "courier_location", { location }).expect(204);
      await move(id, "courier_location").expect(400);
      expect(await read(id)).toMatchObject({ status: "ASSIGNED", version: 3, courier: location });
      expect(events.get(id)?.at(-1)).toBe("delivery.courier_location 3");
      await moveAll(id, "picked_up", "failed");
      await move(id, "courier_location", { location }).expect(409);
    });

    test("an action that the state doesn't allow changes nothing", async () => {
      const id = await opened();
      await moveAll(id, "assigned");
      const before = await read(id);
      for (const action of ["offered", "offer_lapsed", "assigned", "delivered", "returned"]) {
        await move(id, action).expect(409);
      }
      expect(await read(id)).toEqual(before);
    });

    test("a test delivery and a delivery without coordinates are never offered", async () => {
      await move(await opened({ test: true }), "offered").expect(409);
      await move(await opened({ dropoff: { text: "Bir yer" } }), "offered").expect(409);
    });

    test("a failed delivery is final, and a returning delivery ends at the restaurant", async () => {
      const failed = await opened();
      await moveAll(failed, "assigned", "picked_up");
      await move(failed, "failed", { reason: "Adreste kimse yok" }).expect(204);
      expect(await read(failed)).toMatchObject({ status: "FAILED", failure_reason: "Adreste kimse yok" });
      await move(failed, "returning").expect(409);

      const returned = await opened();
      await moveAll(returned, "assigned", "picked_up", "en_route");
      await move(returned, "returning", { reason: "Adres yanlış" }).expect(204);
      await moveAll(returned, "returned");
      expect(await read(returned)).toMatchObject({
        status: "RETURNED",
        failure_reason: "Adres yanlış",
        returned_at: expect.any(String),
        delivered_at: null,
      });
    });

    test("only listed payment codes are collected, and none for a prepaid delivery", async () => {
      const id = await opened();
      await moveAll(id, "assigned", "picked_up", "en_route");
      await move(id, "delivered", { collected_type: "NOT_A_CODE" }).expect(400);
      await move(id, "delivered", { collected_type: "KREDI_KARTI" }).expect(204);
      expect((await read(id)).payment.collected_type).toBe("KREDI_KARTI");

      const paid = await opened({ payment: { type: "ONLINE", amount_due: 0, prepaid: true } });
      await moveAll(paid, "assigned", "picked_up", "en_route", "delivered");
      expect((await read(paid)).payment).toMatchObject({ collected_type: null, collected_parts: null });
    });

    test("changes and cancellation are refused after pick-up and in final states", async () => {
      const id = await opened();
      const refusals = async () => {
        const patch = await account.api.patch(`/v1/deliveries/${id}`).send({ notes: "Zil bozuk" });
        const cancel = await account.api.post(`/v1/deliveries/${id}/cancel`).send({ reason: "Vazgeçildi" });
        return [patch.body.error.code, cancel.body.error.code];
      };
      await moveAll(id, "assigned", "at_pickup", "picked_up");
      expect(await refusals()).toEqual(["KURYE_ALDI", "KURYE_ALDI"]);
      await moveAll(id, "en_route", "delivered");
      expect(await refusals()).toEqual(["SON_DURUM", "SON_DURUM"]);
    });

    test("the schedule can't change after the first offer", async () => {
      const id = await opened();
      const patch = () => account.api.patch(`/v1/deliveries/${id}`).send({ scheduled_for: null, notes: "x" });
      await patch().expect(200);
      await moveAll(id, "offered", "offer_lapsed");
      expect((await patch()).body.error.code).toBe("PLAN_DEGISEMEZ");
    });

    test("an unknown delivery is not found", async () => {
      await move("0b8a4b0e-6f53-4d1e-9d3a-1f0f3c3f8a11", "offered").expect(404);
    });
  });
});
