import { expect, test } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import { advanceClock, createDelivery, linkStore, openAccount } from "../testing/accounts.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, status } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";
import { purge } from "./housekeeping.ts";

const days = 24 * 3600;

onEachDatabase((database) => {
  /** A server with long-lived tokens, and long retry delays that don't close endpoints. */
  async function started() {
    let deps: Dependencies | undefined;
    const long = 1000 * days;
    const server = await database.start({
      mutate: (made) => {
        const webhooks = { ...made.limits.webhooks, delaysMs: [0, long * 1000], failingMs: long * 1000 };
        deps = { ...made, limits: { ...made.limits, tokenSeconds: long, webhooks } };
        return deps;
      },
    });
    if (deps === undefined) throw new Error("no dependencies");
    return { server, deps };
  }

  test("idempotency keys are deleted after a week on their integrator's clock, and not earlier", async () => {
    const { server, deps } = await started();
    const [account, other] = [await openAccount(server), await openAccount(server)];
    for (const each of [account, other]) await linkStore(each);
    const create = (who = account) => createDelivery(who, "ref").set("idempotency-key", "a-key-of-old");
    await create().expect(201);
    await create(other).expect(201);
    await advanceClock(account, 7 * days - 60);
    await purge(deps);
    await create().expect(200);
    await advanceClock(account, 120);
    await purge(deps);
    const { body } = await create().expect(409);
    expect(body.error.code).toBe("EXTERNAL_REF_TEKRAR");
    await create(other).expect(200);
    await server.close();
  });

  test("old events without pending attempts are deleted", async () => {
    const { server, deps } = await started();
    const receiver = await openReceiver();
    const subscriber = await Subscriber.open(server, receiver);
    const waiting = await Subscriber.also(subscriber.account, receiver);
    waiting.answer(status(500));
    await subscriber.test();
    await waiting.test();
    const kept = async () => {
      const events = await deps.database.selectFrom("events").select("id").execute();
      const rows = await deps.database.selectFrom("outbox").select("state").execute();
      return [events.length, rows.map(({ state }) => state).sort()];
    };
    await subscriber.advance(30 * days - 60);
    await purge(deps);
    expect(await kept()).toEqual([2, ["DELIVERED", "PENDING"]]);
    await subscriber.advance(120);
    await purge(deps);
    expect(await kept()).toEqual([1, ["PENDING"]]);
    await server.close();
    await receiver.close();
  });
});
