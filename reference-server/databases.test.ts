import supertest, { type Response } from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "./embedded.ts";
import { type Account, openAccount } from "./testing/accounts.ts";
import { postgres, redisUrl, servicesAreLeftOut } from "./testing/databases.ts";
import { CuttableProxy } from "./testing/proxy.ts";
import { openReceiver, status, type TestReceiver } from "./testing/receiver.ts";
import { Subscriber } from "./testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };

describe.skipIf(servicesAreLeftOut)("an outage of a service", () => {
  const database = postgres();
  let toDatabase: CuttableProxy;
  let toRedis: CuttableProxy;
  let receiver: TestReceiver;
  let server: RunningServer;
  let account: Account;

  beforeAll(async () => {
    const kept = await database.kept();
    toDatabase = await CuttableProxy.to(kept.database);
    toRedis = await CuttableProxy.to(redisUrl ?? "");
    receiver = await openReceiver();
    server = await startReferenceServer({
      ...kept,
      database: toDatabase.url,
      redis: toRedis.url,
      reportFault: () => {},
      // Leases that couldn't be released expire soon.
      mutate: (deps) => ({
        ...deps,
        limits: { ...deps.limits, webhooks: { ...deps.limits.webhooks, leaseMs: 300 } },
      }),
    });
    account = await openAccount(server);
  });
  afterAll(async () => {
    await server.close();
    await toDatabase.cut();
    await toRedis.cut();
    await receiver.close();
  });

  const health = () => supertest(server.url).get("/healthz");
  /** Polls until the health check has this status. */
  async function healthOf(code: number): Promise<Response> {
    for (;;) {
      const answer = await health();
      if (answer.status === code) return answer;
    }
  }

  test("the health check reports both", async () => {
    expect((await health()).body).toMatchObject({ ok: true, db: "ok", redis: "ok" });
  });

  test("without Redis the health check reports it, and requests are still served and limited", async () => {
    await toRedis.cut();
    expect((await healthOf(503)).body).toMatchObject({ ok: false, db: "ok", redis: "down" });
    await account.api.get("/v1/stores").expect(200);
    await account.api.get("/v1/stores").expect(200).expect("x-ratelimit-remaining", /^\d+$/);
    await toRedis.fix();
    expect((await healthOf(200)).body).toMatchObject({ ok: true, redis: "ok" });
  });

  test("without its database the server reports it, answers 500, and recovers", async () => {
    const subscriber = await Subscriber.open(server, receiver, createdOnly);
    const { promise: isCut, resolve: cutIsDone } = Promise.withResolvers<void>();
    subscriber.answer((response, index) => void isCut.then(() => status(204)(response, index)));
    await subscriber.create();
    await subscriber.until(1);
    await toDatabase.cut();
    // The outcome can't be recorded now.
    cutIsDone();
    expect((await healthOf(503)).body).toMatchObject({ ok: false, db: "down", redis: "ok" });
    const refused = await account.api.get("/v1/stores").expect(500);
    expect(refused.body.error.code).toBe("SUNUCU_HATASI");
    await toDatabase.fix();
    await healthOf(200);
    await account.api.get("/v1/stores").expect(200);
    const [first, again] = await subscriber.until(2);
    expect(again?.event.id).toBe(first?.event.id);
    await subscriber.create();
    const arrivals = await subscriber.until(3);
    expect(new Set(arrivals.map(({ event }) => event.id)).size).toBe(2);
  });
});
