import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import type { RunningServer, StartOptions } from "../embedded.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, silence, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

onEachDatabase((database) => {
  let receiver: TestReceiver;
  const running: RunningServer[] = [];

  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(async () => {
    for (const server of running) await server.close();
    await receiver.close();
  });

  /** A server with short webhook delays, so that hours become milliseconds. */
  async function start(webhooks: Partial<Dependencies["limits"]["webhooks"]>, options?: StartOptions) {
    const server = await database.start({
      ...options,
      mutate: (deps) => ({
        ...deps,
        limits: { ...deps.limits, webhooks: { ...deps.limits.webhooks, ...webhooks } },
      }),
    });
    running.push(server);
    return server;
  }

  test("retries happen in real time, once per configured delay", async () => {
    const server = await start({ delaysMs: [0, 20, 40] });
    const subscriber = await Subscriber.open(server, receiver);
    subscriber.answer(status(500));
    await subscriber.test();
    await subscriber.until(3);
    await subscriber.test();
    await subscriber.until(6);
    const ids = subscriber.arrivals.map(({ event }) => event.id);
    expect(ids).toEqual([ids[0], ids[0], ids[0], ids[3], ids[3], ids[3]]);
  });

  test("an event whose attempt timed out is sent again", async () => {
    // Enough attempts that one arrives in time on a busy machine.
    const server = await start({ answerMs: 60, delaysMs: [0, ...Array.from({ length: 100 }, () => 20)] });
    const subscriber = await Subscriber.open(server, receiver);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.test();
    const [first, second] = await subscriber.until(2);
    expect(second?.body).toBe(first?.body);
  });

  test("an attempt in progress at the end of an advance times out in real time", async () => {
    const server = await start({ answerMs: 7_000, standstillMs: 50, delaysMs: [0, 20] });
    const subscriber = await Subscriber.open(server, receiver);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.test();
    await subscriber.until(1);
    await subscriber.advance(5);
    await subscriber.until(2);
    expect(subscriber.gaps[0]).toBeGreaterThanOrEqual(7);
  });

  test("an endpoint at its concurrency limit gets the remaining events after its responses", async () => {
    const server = await start({ concurrent: 2 });
    const subscriber = await Subscriber.open(server, receiver);
    let open = 0;
    let most = 0;
    subscriber.answer((response, index) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        status(204)(response, index);
      });
    });
    await Promise.all(Array.from({ length: 20 }, () => subscriber.test()));
    await subscriber.until(20);
    expect(most).toBeLessThanOrEqual(2);
    expect(new Set(subscriber.arrivals.map(({ event }) => event.id)).size).toBe(20);
  });

  test("pending events of a stopped server are sent by the next one, with the same ids", async () => {
    const kept = await database.kept();
    const first = await start({}, kept);
    const subscriber = await Subscriber.open(first, receiver);
    subscriber.answer((response, index) => (index < 2 ? silence : status(204))(response, index));
    await subscriber.test();
    await subscriber.create({ test: true });
    await subscriber.until(3);
    await first.close();
    await start({}, kept);
    const arrivals = await subscriber.until(5);
    const repeats = arrivals.slice(3).map(({ event }) => event.id);
    expect(repeats.sort()).toEqual(
      arrivals
        .slice(0, 2)
        .map(({ event }) => event.id)
        .sort(),
    );
  });

  test("an event whose outcome couldn't be recorded is sent again with the same id", async () => {
    const kept = await database.kept();
    const tried = Promise.withResolvers<void>();
    const first = await database.start({
      ...kept,
      reportFault: () => {},
      mutate: (deps) => ({
        ...deps,
        records: {
          ...deps.records,
          outbox: {
            ...deps.records.outbox,
            settle: async () => {
              tried.resolve();
              throw new Error("the database is away");
            },
          },
        },
      }),
    });
    const subscriber = await Subscriber.open(first, receiver);
    await subscriber.test();
    await tried.promise;
    await first.close();
    await start({}, kept);
    const [sent, again] = await subscriber.until(2);
    expect(again?.event.id).toBe(sent?.event.id);
  });

  test("a clock that was frozen when the server stopped continues from there", async () => {
    const kept = await database.kept();
    let deps: Dependencies | undefined;
    const first = await database.start({ ...kept, mutate: (made) => (deps = made) });
    const subscriber = await Subscriber.open(first, receiver);
    if (deps === undefined) throw new Error("no dependencies");
    const { clientId } = subscriber.account;
    const integrator = await deps.records.integrators.findByClientId(deps.database, clientId);
    const stood = deps.clock.now() + 7_200_000;
    const { clocks } = deps.records;
    const [id, mover] = [integrator?.id ?? "", deps.instances.id];
    await deps.transaction(async (tx) => {
      await clocks.acquire(tx, id, mover);
      await clocks.freeze(tx, id, mover, stood);
    });
    await first.close();
    let next: Dependencies | undefined;
    running.push(await database.start({ ...kept, mutate: (made) => (next = made) }));
    if (next === undefined) throw new Error("no dependencies");
    const after = await next.records.integrators.findByClientId(next.database, clientId);
    expect(after?.clock_frozen_at).toBeNull();
    expect(after && next.clock.timeOf(after, next.clock.now())).toBeGreaterThanOrEqual(stood);
  });
});
