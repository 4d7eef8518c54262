import { randomUUID } from "node:crypto";
import supertest from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountAt, advanceClock, createDelivery, linkStore, openAccount } from "./testing/accounts.ts";
import { postgres, redisUrl, servicesAreLeftOut } from "./testing/databases.ts";
import { type Instance, Instances } from "./testing/instances.ts";
import { openReceiver, silence, status, type TestReceiver } from "./testing/receiver.ts";
import { Subscriber } from "./testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };

describe.skipIf(servicesAreLeftOut)("several instances", () => {
  const database = postgres();
  let instances: Instances;
  let one: Instance;
  let two: Instance;
  let three: Instance;
  let receiver: TestReceiver;

  beforeAll(async () => {
    receiver = await openReceiver();
    instances = new Instances({ database: (await database.kept()).database, redis: redisUrl ?? "" });
    // All start at the same time, on an empty database.
    [one, two, three] = await Promise.all([instances.start(), instances.start(), instances.start()]);
  });
  afterAll(async () => {
    await instances.stop();
    await receiver.close();
  });

  test("all instances see one instance's writes", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const created = await createDelivery(account, "written-by-one");
    const path = `/v1/deliveries/${created.body.id}`;
    for (const other of [two, three]) {
      expect((await accountAt(other, account).api.get(path)).body).toEqual(created.body);
    }
  });

  test("concurrent requests with one key to several instances create one delivery", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const answers = await Promise.all(
      [one, two, three, one, two, three].map((instance) =>
        createDelivery(accountAt(instance, account), "same").set("idempotency-key", "same-key"),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("paging misses no delivery that several instances create concurrently", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const writers = [one, two, three].map(async (instance, index) => {
      const through = accountAt(instance, account);
      for (let count = 0; count < 15; count++) await createDelivery(through, `listed-${index}-${count}`);
    });
    let isWriting = true;
    const written = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    const seen = new Set<unknown>();
    let since = "";
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting;
      const { body: page } = await account.api.get(`/v1/deliveries?limit=5${since}`).expect(200);
      for (const item of page.items) seen.add(item.id);
      if (page.next_cursor !== null) since = `&since=${encodeURIComponent(page.next_cursor)}`;
      if (page.has_more) isLast = false;
    }
    await written;
    expect(seen.size).toBe(45);
  });

  test("instances count one integrator's requests together", async () => {
    const account = await openAccount(one);
    const { headers } = await account.api.get("/v1/stores");
    // Starts at the beginning of a minute.
    await advanceClock(account, Number(headers["x-ratelimit-reset"]));
    const remaining: number[] = [];
    for (const instance of [one, two, three, one]) {
      const { headers } = await accountAt(instance, account).api.get("/v1/stores");
      remaining.push(Number(headers["x-ratelimit-remaining"]));
    }
    expect(remaining).toEqual([1199, 1198, 1197, 1196]);
  });

  test("a clock advance applies to all instances, and advances by several add up", async () => {
    const account = await openAccount(one);
    const time = async () => {
      const { api } = accountAt(three, account);
      const subscription = { url: `https://hooks.example/${randomUUID()}` };
      const { body } = await api.post("/v1/webhooks").send(subscription).expect(201);
      return Date.parse(body.created_at);
    };
    const before = await time();
    await Promise.all(
      [one, two, three, two].map((instance) => advanceClock(accountAt(instance, account), 100)),
    );
    expect(await time()).toBeGreaterThanOrEqual(before + 400_000);
  });

  test("attempts of one instance time out when another advances the clock, and aren't duplicated", async () => {
    const subscriber = await Subscriber.open(one, receiver, createdOnly);
    subscriber.answer(status(500));
    await subscriber.create();
    await subscriber.until(1);
    for (const [instance, seconds] of [
      [two, 4],
      [three, 2],
      [one, 310],
      [two, 3600],
    ] as const) {
      await advanceClock(accountAt(instance, subscriber.account), seconds);
    }
    const [second = 0, ...later] = subscriber.gaps;
    expect(second).toBeGreaterThanOrEqual(5);
    expect(second).toBeLessThanOrEqual(6);
    expect(later).toEqual([300, 1800]);
  });

  test("an attempt of one instance times out after 15 s on a clock that another advances", async () => {
    const subscriber = await Subscriber.open(one, receiver, createdOnly);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.create();
    await subscriber.until(1);
    const through = accountAt(two, subscriber.account);
    await advanceClock(through, 14);
    expect((await subscriber.listed()).failing_since).toBeNull();
    await advanceClock(accountAt(three, subscriber.account), 60);
    expect(subscriber.gaps).toEqual([20]);
    expect((await subscriber.listed()).failing_since).toBeNull();
  });

  test("another instance resends the events of a killed one, under the same id", async () => {
    const doomed = await instances.start();
    const subscriber = await Subscriber.open(doomed, receiver, createdOnly);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.create();
    await subscriber.until(1);
    await doomed.end("SIGKILL");
    const [first, second] = await subscriber.until(2);
    expect(second?.event.id).toBe(first?.event.id);
  });

  test("a clock frozen by a killed instance continues, and can be advanced", async () => {
    const doomed = await instances.start();
    const subscriber = await Subscriber.open(doomed, receiver, createdOnly);
    subscriber.answer(silence);
    await subscriber.create();
    await subscriber.until(1);
    // The advance waits seconds for the silent endpoint.
    const cut = subscriber.advance(1).catch(() => "cut");
    const through = accountAt(one, subscriber.account);
    // Sends the request.
    const waiting = advanceClock(through, 60).expect(200).then();
    await doomed.end("SIGKILL");
    expect(await cut).toBe("cut");
    await waiting;
  });

  test("a stopping instance finishes its requests and its attempts", async () => {
    const leaving = await instances.start();
    const subscriber = await Subscriber.open(leaving, receiver, createdOnly);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    subscriber.answer((response, index) => void mayAnswer.then(() => status(204)(response, index)));
    await subscriber.create();
    await subscriber.until(1);
    const ended = leaving.end("SIGTERM");
    await refused(leaving);
    answer();
    expect(await ended).toBe(0);
    const through = accountAt(one, subscriber.account);
    await advanceClock(through, 7200);
    expect(subscriber.arrivals).toHaveLength(1);
  });

  /** Waits until the instance refuses connections. */
  async function refused({ url }: Instance): Promise<void> {
    const health = () => supertest(url).get("/healthz").set("connection", "close");
    const isTaken = () =>
      health().then(
        () => true,
        () => false,
      );
    while (await isTaken());
  }
});
