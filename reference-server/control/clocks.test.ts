import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { advanceClock, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { store } from "../testing/orders.ts";

onEachDatabase((database) => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await database.start();
  });
  afterAll(() => server.close());

  test("an advance moves the clock of one integrator only", async () => {
    const [early, late] = [await openAccount(server), await openAccount(server)];
    await advanceClock(late, 1799);
    await late.api.get("/v1/stores").expect(200);
    await advanceClock(late, 1);
    const { body } = await late.api.get("/v1/stores").expect(401);
    expect(body.error.code).toBe("SURESI_DOLDU");
    await early.api.get("/v1/stores").expect(200);
  });

  test("a pairing code's age is counted from its issue, on the clock of the integrator that redeems it", async () => {
    const account = await openAccount(server);
    const pairingCode = async (expires_in: number) =>
      (await account.control.post("/pairing-codes").send({ expires_in })).body.pairing_code;
    // An advance before the issue doesn't count.
    await advanceClock(account, 1700);
    const fresh = await pairingCode(60);
    await account.api.post("/v1/stores").send(store(fresh)).expect(201);
    const short = await pairingCode(5);
    await advanceClock(account, 5);
    const { body } = await account.api.post("/v1/stores").send({ ...store(short), external_store_id: "s2" });
    expect(body.error.code).toBe("ESLEME_KODU_GECERSIZ");
  });
});
