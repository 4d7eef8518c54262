import { afterAll, beforeAll, expect, test } from "vitest";
import { isRecord } from "../independent-server/formats.ts";
import { type RunningIndependentServer, startIndependentServer } from "../independent-server/server.ts";

let server: RunningIndependentServer;
beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());

async function send(method: string, url: string, token?: string, body?: object, key?: string) {
  const headers = new Headers();
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (key !== undefined) headers.set("idempotency-key", key);
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  const parsed: unknown = text === "" ? {} : JSON.parse(text);
  return {
    status: answer.status,
    headers: answer.headers,
    body: isRecord(parsed) ? parsed : { list: parsed },
  };
}

test("token, store, delivery, list", async () => {
  const { url, controlUrl, controlToken } = server;
  const credentials = await send("POST", `${controlUrl}/integrators`, controlToken, {});
  const login = { grant_type: "client_credentials", ...credentials.body };
  const token = String((await send("POST", `${url}/oauth/token`, undefined, login)).body.access_token);

  const { body: pairing } = await send("POST", `${controlUrl}/pairing-codes`, controlToken, {});
  const address = { text: "Sultanahmet Meydanı 1", lat: 41.0054, lng: 28.9768 };
  const restaurant = { external_store_id: "s-1", name: "Lokanta", address };
  const unpaired = await send("POST", `${url}/v1/stores`, token, restaurant);
  expect(unpaired.body.error).toMatchObject({ code: "ESLEME_KODU_GEREKLI" });
  const paired = { ...restaurant, pairing_code: pairing.pairing_code };
  const store = await send("POST", `${url}/v1/stores`, token, paired);
  expect(store).toMatchObject({ status: 201, body: { external_store_id: "s-1", status: "ACTIVE" } });

  const order = {
    external_ref: "A-1",
    store: { external_store_id: "s-1" },
    dropoff: { text: "Divan Yolu 10", directions: "Kat 2", lat: 41.0082, lng: 28.9784 },
    payment: { type: "kapıda-nakit", amount_due: 120 },
  };
  const opened = await send("POST", `${url}/v1/deliveries`, token, order, "first-order");
  expect(opened).toMatchObject({ status: 201, body: { status: "QUEUED", version: 4, courier: null } });
  expect(opened.headers.get("x-ratelimit-limit")).toBe("1200");
  const again = await send("POST", `${url}/v1/deliveries`, token, order, "first-order");
  expect(again).toMatchObject({ status: 200, body: opened.body });

  const listed = () => send("GET", `${url}/v1/deliveries?status=QUEUED`, token);
  await expect.poll(async () => (await listed()).body.items).toMatchObject([{ id: opened.body.id }]);

  const path = `${url}/v1/deliveries/${opened.body.id}`;
  expect(await send("PATCH", path, token, { notes: "Zile basmayın" })).toMatchObject({ status: 204 });
  expect(await send("POST", `${path}/cancel`, token, { reason: "vazgeçti" })).toMatchObject({ status: 202 });
  expect((await send("GET", path, token)).body).toMatchObject({ status: "IPTAL", notes: "Zile basmayın" });
  expect(await send("POST", `${path}/cancel`, token, {})).toMatchObject({ status: 409 });
});
