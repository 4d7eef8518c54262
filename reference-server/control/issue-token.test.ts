import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { accountAt, advanceClock, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await database.start();
  });
  afterAll(() => server.close());

  const issue = ({ control, clientId }: Awaited<ReturnType<typeof openAccount>>) =>
    control.post(`/integrators/${clientId}/token`);

  test("an issued token works like one of the token endpoint, and expires on its integrator's clock", async () => {
    const account = await openAccount(server);
    const { body } = await issue(account).expect(201);
    expect(body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 1800 });
    const issued = accountAt(server, { ...account, token: body.access_token });
    await advanceClock(account, 1799);
    await issued.api.get("/v1/stores").expect(200);
    await advanceClock(account, 1);
    const { body: refused } = await issued.api.get("/v1/stores").expect(401);
    expect(refused.error.code).toBe("SURESI_DOLDU");
  });

  test("issued tokens don't count towards the rate limits", async () => {
    const account = await openAccount(server);
    for (let count = 0; count <= 30; count += 1) await issue(account).expect(201);
  });

  test("no token is issued for a closed credential or an unknown client_id", async () => {
    const account = await openAccount(server);
    await account.control.post("/integrators/nobody/token").expect(404);
    await account.control.post(`/integrators/${account.clientId}/close`).expect(204);
    await issue(account).expect(409);
  });
});
