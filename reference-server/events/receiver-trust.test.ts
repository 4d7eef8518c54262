import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { makeIntegrator } from "../control/integrators.ts";
import type { Dependencies, WebhookRequest } from "../dependencies.ts";
import type { startReferenceServer } from "../embedded.ts";
import { type Account, openAccount, withToken } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, type TestReceiver } from "../testing/receiver.ts";

const MINUTE = 60_000;

onEachDatabase((database) => {
  let receiver: TestReceiver;
  let deps: Dependencies;
  let later = 0;
  let server: Awaited<ReturnType<typeof startReferenceServer>>;
  let account: Account;
  const attempts: WebhookRequest[] = [];

  // Each test has an origin of its own, because retries of an earlier test's events would use the trust.
  beforeEach(async () => {
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());
  beforeAll(async () => {
    server = await database.start({
      mutate(original) {
        const now = () => original.clock.now() + later;
        const post: Dependencies["transport"]["post"] = (all, outgoing, signal) => {
          attempts.push(outgoing);
          return original.transport.post(all, outgoing, signal);
        };
        deps = {
          ...original,
          clock: { ...original.clock, now },
          resolveHost: async () => [],
          transport: { ...original.transport, post },
        };
        return deps;
      },
    });
    account = await openAccount(server);
  });
  afterAll(() => server.close());

  const trust = (origin: string) =>
    account.control.post("/trusted-receivers").send({ origin, ca_pem: receiver.ca }).expect(204);
  const register = ({ api }: Pick<Account, "api">, path: string) =>
    api.post("/v1/webhooks").send({ url: `${receiver.origin}${path}` });

  const tokenOf = async (clientId: string) => {
    const issued = await account.control.post(`/integrators/${clientId}/token`).expect(201);
    return { api: withToken(server.url, issued.body.access_token) };
  };

  test("a receiver is trusted only for integrators of the control interface", async () => {
    await trust(receiver.origin);
    await register(account, "/own").expect(201);
    const { client_id } = await makeIntegrator(deps, { kind: "integrator", trusts_receivers: 0 });
    const refused = await register(await tokenOf(client_id), "/theirs").expect(400);
    expect(refused.body.error.code).toBe("DOGRULAMA");
  });

  test("an attempt of another integrator at a trusted name isn't trusted", async () => {
    const url = `https://receiver.internal:${receiver.port}/named`;
    await trust(new URL(url).origin);
    const { client_id } = await makeIntegrator(deps, { kind: "integrator", trusts_receivers: 0 });
    const theirs = await tokenOf(client_id);
    const { id } = (await theirs.api.post("/v1/webhooks").send({ url }).expect(201)).body;
    await theirs.api.post(`/v1/webhooks/${id}/test`).expect(202);
    await account.control.post(`/integrators/${client_id}/clock/advance`).send({ seconds: 1 }).expect(200);
    expect(attempts.filter((attempt) => attempt.url === url).map((attempt) => attempt.trust)).toEqual([null]);
  });

  test("trust expires after an hour without use, for registrations and attempts; an attempt is a use", async () => {
    await trust(receiver.origin);
    const { id } = (await register(account, "/kept").expect(201)).body;
    const tried = async () => {
      const { api } = await tokenOf(account.clientId);
      await api.post(`/v1/webhooks/${id}/test`).expect(202);
      await account.control
        .post(`/integrators/${account.clientId}/clock/advance`)
        .send({ seconds: 1 })
        .expect(200);
      return { api, arrived: receiver.at("/kept").length };
    };
    later += 50 * MINUTE;
    expect((await tried()).arrived).toBe(1);
    later += 50 * MINUTE;
    expect((await tried()).arrived).toBe(2);
    later += 61 * MINUTE;
    const { api, arrived } = await tried();
    expect(arrived).toBe(2);
    await register({ api }, "/again").expect(400);
  });

  test("other integrators can never register at a trusted origin, and its own integrators only within the hour", async () => {
    const { client_id } = await makeIntegrator(deps, { kind: "integrator", trusts_receivers: 0 });
    const step = fc.oneof(
      fc.constant("trust" as const),
      fc.constantFrom("own" as const, "another" as const),
      fc.integer({ min: 1, max: 80 }).filter((minutes) => Math.abs(minutes - 60) > 1),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        later += 61 * MINUTE;
        let left = 0;
        for (const one of steps) {
          if (typeof one === "number") {
            later += one * MINUTE;
            left -= one;
          } else if (one === "trust") {
            await trust(receiver.origin);
            left = 60;
          } else {
            const who = await tokenOf(one === "own" ? account.clientId : client_id);
            const answer = await register(who, "/any");
            const isTaken = answer.status === 201;
            expect(`${one}, ${left} minutes left: ${isTaken}`).toBe(
              `${one}, ${left} minutes left: ${one === "own" && left > 0}`,
            );
            if (isTaken) await who.api.delete(`/v1/webhooks/${answer.body.id}`).expect(204);
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});
