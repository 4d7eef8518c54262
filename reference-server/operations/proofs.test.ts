import supertest from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

  async function opened(name: string): Promise<string> {
    return (await createDelivery(account, name).expect(201)).body.id;
  }

  const add = (id: string, bytes: Buffer, type = "image/png", query = "") =>
    account.control.post(`/deliveries/${id}/proofs${query}`).type(type).send(bytes);

  const photo = (size: number) =>
    Buffer.from(Array.from({ length: size }, (_, index) => (index * 7 + 255) % 256));

  describe("photos", () => {
    test("are listed in order and returned byte for byte, with their type", async () => {
      const id = await opened("bytes");
      const bytes = photo(3000);
      const added = await add(id, bytes, "image/webp", "?lat=41.01&lng=28.97").expect(201);
      await add(id, photo(10), "image/jpeg").expect(201);
      expect(added.body).toMatchObject({
        kind: "PHOTO",
        mime: "image/webp",
        size: 3000,
        lat: 41.01,
        lng: 28.97,
      });
      const list = (await account.api.get(`/v1/deliveries/${id}/proofs`)).body;
      expect(list.items).toMatchObject([added.body, { mime: "image/jpeg", lat: null, lng: null }]);

      await supertest(server.url).get(added.body.url).expect(401);
      const given = await account.api.get(added.body.url).expect(200).expect("content-type", "image/webp");
      expect(given.headers["x-content-type-options"]).toBe("nosniff");
      expect(given.body).toEqual(bytes);
    });

    test("are limited to three, also when added concurrently", async () => {
      const id = await opened("three");
      const answers = await Promise.all(Array.from({ length: 5 }, () => add(id, photo(10))));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
      expect((await account.api.get(`/v1/deliveries/${id}/proofs`)).body.items).toHaveLength(3);
    });

    test("have a maximum size, one of three types, and aren't empty", async () => {
      const id = await opened("bounds");
      await add(id, photo(1_572_865)).expect(413);
      await add(id, photo(3_000_000)).expect(413);
      await add(id, photo(10), "image/gif").expect(415);
      await add(id, photo(0)).expect(400);
      await add(id, photo(10), "image/png", "?lat=north").expect(400);
      await add(id, photo(1_572_864)).expect(201);
    });

    test("are found only under their own delivery and by their own integrator", async () => {
      const id = await opened("own");
      const proof = (await add(id, photo(10))).body.id;
      const other = await opened("other");
      await account.api.get(`/v1/deliveries/${other}/proofs/${proof}`).expect(404);
      const someoneElse = await openAccount(server);
      for (const path of [`/v1/deliveries/${id}/proofs`, `/v1/deliveries/${id}/proofs/${proof}`]) {
        await someoneElse.api.get(path).expect(404);
      }
      const nobodys = "0b8a4b0e-6f53-4d1e-9d3a-1f0f3c3f8a11";
      await add(nobodys, photo(10)).expect(404);
    });
  });
});
