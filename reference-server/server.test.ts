import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "./embedded.ts";
import { type Account, at, linkStore, openAccount, order, sender, somewhere } from "./testing/client.ts";
import { onEachDatabase } from "./testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let account: Account;

  beforeAll(async () => {
    server = await database.start();
    account = await openAccount(server);
    await linkStore(account);
  });
  afterAll(() => server.close());

  const create = (body: object, key: string, who = account) =>
    who.send("POST", "/v1/deliveries", body, { "idempotency-key": key });

  describe("every response carries the limit headers", () => {
    const huge = JSON.stringify({ notes: "x".repeat(2_000_000) });
    test.each([
      ["GET", "/healthz", undefined, {}, 200],
      ["GET", "/v1/stores", undefined, { authorization: "" }, 401],
      ["GET", "/no/such/path", undefined, {}, 404],
      ["GET", "/%zz", undefined, {}, 404],
      ["DELETE", "/healthz", undefined, {}, 404],
      ["POST", "/v1/quotes", "{}", { "content-type": "text/plain" }, 415],
      ["POST", "/v1/quotes", "{", {}, 400],
      ["POST", "/v1/quotes", huge, {}, 413],
    ])("%s %s", async (method, path, body, headers, status) => {
      const answer = await account.send(method, path, body, headers);
      expect(answer.status).toBe(status);
      for (const name of ["limit", "remaining", "reset"]) {
        expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
      if (status >= 400) expect(at(answer.body, "error")).toMatchObject({ code: expect.any(String) });
    });

    test("also a fault of the server", async () => {
      const faults: unknown[] = [];
      const broken = await database.start({
        reportFault: (error) => faults.push(error),
        mutate: (parts) => ({
          ...parts,
          operations: {
            ...parts.operations,
            getHealth: async () => {
              throw new Error("on purpose");
            },
          },
        }),
      });
      const answer = await sender(broken.url)("GET", "/healthz");
      await broken.close();
      expect(answer.status).toBe(500);
      expect(at(answer.body, "error", "code")).toBe("SUNUCU_HATASI");
      expect(answer.headers.get("x-ratelimit-limit")).toBe("300");
      expect(faults).toHaveLength(1);
    });
  });

  test("twenty requests at once with one key open one delivery", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(order("K-1"), "one-key-for-all")),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => at(body, "id"))).size).toBe(1);
  });

  test("a refused request leaves its key free", async () => {
    const far = order("F-1", { dropoff: { text: "Kızılay", lat: 39.92, lng: 32.85 } });
    const refused = await create(far, "key-of-a-refusal");
    expect(refused.status).toBe(422);
    expect(at(refused.body, "error", "details")).toEqual({ road_km: expect.any(Number), max_km: 15 });
    expect((await create(order("F-1"), "key-of-a-refusal")).status).toBe(201);
    expect((await create(order("F-2"), "key-of-a-refusal")).status).toBe(409);
  });

  test("a quote says what the delivery then is", async () => {
    const point = { lat: 41.03, lng: 28.97 };
    const quote = await account.send("POST", "/v1/quotes", {
      store: { external_store_id: "s1" },
      dropoff: point,
    });
    const delivery = await create(order("Q-1", { dropoff: { text: "x", ...point } }), "quoted-before");
    for (const name of ["distance_m", "road_km", "fee"]) {
      expect(at(quote.body, name)).not.toBeNull();
      expect(at(delivery.body, name)).toEqual(at(quote.body, name));
    }
  });

  test("changes made in one instant are all seen, whatever the page size", async () => {
    const instant = Date.UTC(2030, 4, 1);
    const frozen = await database.start({
      mutate: (parts) => ({ ...parts, clock: { ...parts.clock, now: () => instant } }),
    });
    const other = await openAccount(frozen);
    await linkStore(other);
    for (let n = 0; n < 7; n++) await create(order(`T-${n}`), `tied-in-time-${n}`, other);
    const seen: unknown[] = [];
    let since = "";
    for (let more = true; more; ) {
      const page = (await other.send("GET", `/v1/deliveries?limit=2${since}`)).body;
      for (const index of [0, 1]) seen.push(at(page, "items", index, "external_ref"));
      since = `&since=${at(page, "next_cursor")}`;
      more = at(page, "has_more") === true;
    }
    await frozen.close();
    expect(seen.filter(Boolean)).toEqual(["T-0", "T-1", "T-2", "T-3", "T-4", "T-5", "T-6"]);
  });

  test("an order without a point waits for one, and its credit comes back when it is cancelled", async () => {
    const mine = await openAccount(server);
    await linkStore(mine);
    const consumed = async () =>
      at((await mine.control("GET", `/integrators/${mine.clientId}/credit`)).body, "consumed");
    const opened = await create(
      order("R-1", { dropoff: { text: "Kadıköy", lat: 0, lng: 0 } }),
      "received-1",
      mine,
    );
    expect(opened.body).toMatchObject({ status: "RECEIVED", version: 1, fee: null });
    expect(await consumed()).toBe(1);
    const path = `/v1/deliveries/${at(opened.body, "id")}`;
    const located = await mine.send("PATCH", path, { dropoff: { text: "Moda", lat: 40.98, lng: 29.02 } });
    expect(located.body).toMatchObject({ status: "QUEUED", distance_m: expect.any(Number) });
    expect((await mine.send("POST", `${path}/cancel`, { reason: "vazgeçti" })).status).toBe(200);
    expect((await mine.send("POST", `${path}/cancel`, { reason: "yine" })).body).toMatchObject({
      error: { code: "SON_DURUM" },
    });
    expect(await consumed()).toBe(0);
  });

  test("time passes for one integrator alone", async () => {
    const [early, late] = [await openAccount(server), await openAccount(server)];
    const code = await early.control("POST", "/pairing-codes", { expires_in: 3600 });
    await late.control("POST", `/integrators/${late.clientId}/clock/advance`, { seconds: 1799 });
    expect((await late.send("GET", "/v1/stores")).status).toBe(200);
    await late.control("POST", `/integrators/${late.clientId}/clock/advance`, { seconds: 1 });
    expect((await late.send("GET", "/v1/stores")).body).toMatchObject({ error: { code: "SURESI_DOLDU" } });
    expect((await early.send("GET", "/v1/stores")).status).toBe(200);

    // A code ages on the clock of whoever redeems it, from its issue on; what passed before that doesn't count.
    const link = { external_store_id: "z", pairing_code: at(code.body, "pairing_code"), name: "x" };
    const store = { ...link, address: { text: "x", ...somewhere } };
    await early.control("POST", `/integrators/${early.clientId}/clock/advance`, { seconds: 1790 });
    expect((await early.send("POST", "/v1/stores", store)).status).toBe(201);
    const old = await early.control("POST", "/pairing-codes", { expires_in: 5 });
    await early.control("POST", `/integrators/${early.clientId}/clock/advance`, { seconds: 5 });
    const again = { ...store, external_store_id: "y", pairing_code: at(old.body, "pairing_code") };
    expect((await early.send("POST", "/v1/stores", again)).body).toMatchObject({
      error: { code: "ESLEME_KODU_GECERSIZ" },
    });
  });

  test("another's records are absent, and another's restaurant can't be linked", async () => {
    const stranger = await openAccount(server);
    const mine = await create(order("S-1"), "not-a-strangers");
    const path = `/v1/deliveries/${at(mine.body, "id")}`;
    expect((await stranger.send("GET", path)).status).toBe(404);
    expect((await stranger.send("POST", `${path}/cancel`, { reason: "x" })).status).toBe(404);
    expect((await stranger.send("GET", "/v1/deliveries?external_ref=S-1")).body).toMatchObject({ items: [] });

    const link = async (who: Account) => {
      const code = at(
        (await who.control("POST", "/pairing-codes", { restaurant: "moda" })).body,
        "pairing_code",
      );
      const store = { external_store_id: "m", pairing_code: code, name: "x", address: { text: "x" } };
      return who.send("POST", "/v1/stores", store);
    };
    expect((await link(account)).status).toBe(201);
    expect((await link(stranger)).body).toMatchObject({ error: { code: "BASKA_POS" } });
  });

  test("without a control token there is no control interface", async () => {
    const plain = await database.start({ controlToken: null });
    const answer = await sender(plain.url, { authorization: "Bearer x" })("GET", "/control");
    await plain.close();
    expect(answer.status).toBe(404);
  });
});
