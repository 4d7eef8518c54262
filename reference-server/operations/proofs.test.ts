import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { type Account, at, linkStore, openAccount, order } from "../testing/client.ts";
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

  async function opened(name: string): Promise<string> {
    const headers = { "idempotency-key": `proof-${name}` };
    return String(at((await account.send("POST", "/v1/deliveries", order(name), headers)).body, "id"));
  }

  async function add(id: string, bytes: Uint8Array<ArrayBuffer>, type = "image/png", query = "") {
    const response = await fetch(`${server.controlUrl}/deliveries/${id}/proofs${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.controlToken}`, "content-type": type },
      body: bytes,
    });
    const body: unknown = await response.json();
    return { status: response.status, body };
  }

  const photo = (size: number) => new Uint8Array(size).map((_, index) => (index * 7 + 255) % 256);

  describe("photos", () => {
    test("are listed in order and given back byte for byte, with their type", async () => {
      const id = await opened("bytes");
      const bytes = photo(3000);
      const added = await add(id, bytes, "image/webp", "?lat=41.01&lng=28.97");
      await add(id, photo(10), "image/jpeg");
      expect(added.status).toBe(201);
      expect(added.body).toMatchObject({
        kind: "PHOTO",
        mime: "image/webp",
        size: 3000,
        lat: 41.01,
        lng: 28.97,
      });
      const list = (await account.send("GET", `/v1/deliveries/${id}/proofs`)).body;
      expect(at(list, "items")).toMatchObject([added.body, { mime: "image/jpeg", lat: null, lng: null }]);

      const url = `${server.url}${at(added.body, "url")}`;
      expect((await fetch(url)).status).toBe(401);
      const response = await fetch(url, { headers: { authorization: `Bearer ${account.token}` } });
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    });

    test("are three at most, also when they come at once", async () => {
      const id = await opened("three");
      const answers = await Promise.all(Array.from({ length: 5 }, () => add(id, photo(10))));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
      expect(at((await account.send("GET", `/v1/deliveries/${id}/proofs`)).body, "items")).toHaveLength(3);
    });

    test("have a largest size, three types, and something in them", async () => {
      const id = await opened("bounds");
      expect((await add(id, photo(1_572_865))).status).toBe(413);
      expect((await add(id, photo(3_000_000))).status).toBe(413);
      expect((await add(id, photo(10), "image/gif")).status).toBe(415);
      expect((await add(id, photo(0))).status).toBe(400);
      expect((await add(id, photo(10), "image/png", "?lat=north")).status).toBe(400);
      expect((await add(id, photo(1_572_864))).status).toBe(201);
    });

    test("are found under their own delivery and by their own integrator only", async () => {
      const id = await opened("own");
      const proof = String(at((await add(id, photo(10))).body, "id"));
      const other = await opened("other");
      expect((await account.send("GET", `/v1/deliveries/${other}/proofs/${proof}`)).status).toBe(404);
      const stranger = await openAccount(server);
      for (const path of [`/v1/deliveries/${id}/proofs`, `/v1/deliveries/${id}/proofs/${proof}`]) {
        expect((await stranger.send("GET", path)).status).toBe(404);
      }
      const nobodys = "0b8a4b0e-6f53-4d1e-9d3a-1f0f3c3f8a11";
      expect((await add(nobodys, photo(10))).status).toBe(404);
    });
  });
});
