import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, at, linkStore, openAccount, order } from "./testing/client.ts";
import { postgres, redisUrl, servicesAreLeftOut } from "./testing/databases.ts";
import { type Instance, Instances, throughInstance } from "./testing/instances.ts";
import { openReceiver, silence, status, type TestReceiver } from "./testing/receiver.ts";
import { Subscriber } from "./testing/subscriber.ts";

// Some tests start a process of their own.
vi.setConfig({ testTimeout: 60_000 });

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
    // At once, on a database without a table.
    [one, two, three] = await Promise.all([instances.start(), instances.start(), instances.start()]);
  }, 60_000);
  afterAll(async () => {
    await instances.stop();
    await receiver.close();
  }, 60_000);

  const advance = (account: Account, seconds: number) =>
    account.control("POST", `/integrators/${account.clientId}/clock/advance`, { seconds });
  const create = (account: Account, key: string) =>
    account.send("POST", "/v1/deliveries", order(key), { "idempotency-key": key });

  test("what one has written the others read", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const created = await create(account, "written-by-one");
    const path = `/v1/deliveries/${at(created.body, "id")}`;
    for (const other of [two, three]) {
      expect((await throughInstance(other, account).send("GET", path)).body).toEqual(created.body);
    }
  });

  test("one key makes one delivery, whichever of them is asked, at the same time", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const answers = await Promise.all(
      [one, two, three, one, two, three].map((instance) =>
        create(throughInstance(instance, account), "same-key"),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => at(body, "id"))).size).toBe(1);
  });

  test("a list read on from a cursor misses nothing of what several write at once", async () => {
    const account = await openAccount(one);
    await linkStore(account);
    const writers = [one, two, three].map(async (instance, index) => {
      const through = throughInstance(instance, account);
      for (let count = 0; count < 15; count++) await create(through, `listed-${index}-${count}`);
    });
    let isWriting = true;
    const written = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    const seen = new Set<unknown>();
    let since = "";
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting;
      const { body } = await account.send("GET", `/v1/deliveries?limit=5${since}`);
      for (const item of Object(at(body, "items"))) seen.add(at(item, "id"));
      const cursor = at(body, "next_cursor");
      if (typeof cursor === "string") since = `&since=${encodeURIComponent(cursor)}`;
      if (at(body, "has_more") === true) isLast = false;
    }
    await written;
    expect(seen.size).toBe(45);
  });

  test("they count one identity's requests together", async () => {
    const account = await openAccount(one);
    const { headers } = await account.send("GET", "/v1/stores");
    // From the beginning of a minute on.
    await advance(account, Number(headers.get("x-ratelimit-reset")));
    const remaining: number[] = [];
    for (const instance of [one, two, three, one]) {
      const { headers } = await throughInstance(instance, account).send("GET", "/v1/stores");
      remaining.push(Number(headers.get("x-ratelimit-remaining")));
    }
    expect(remaining).toEqual([1199, 1198, 1197, 1196]);
  });

  test("a clock that one moves is moved for all, and moves of several add up", async () => {
    const account = await openAccount(one);
    const time = async () => {
      const created = await throughInstance(three, account).send("POST", "/v1/webhooks", {
        url: `https://hooks.example/${randomUUID()}`,
      });
      return Date.parse(String(at(created.body, "created_at")));
    };
    const before = await time();
    await Promise.all(
      [one, two, three, two].map((instance) => advance(throughInstance(instance, account), 100)),
    );
    expect(await time()).toBeGreaterThanOrEqual(before + 400_000);
  });

  test("attempts that one has begun fail on time when another moves the clock, and are made once", async () => {
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
      await advance(throughInstance(instance, subscriber.account), seconds);
    }
    const [second = 0, ...later] = subscriber.gaps;
    expect(second).toBeGreaterThanOrEqual(5);
    expect(second).toBeLessThanOrEqual(6);
    expect(later).toEqual([300, 1800]);
  });

  test("an attempt that one waits for times out at 15 s of a clock that another moves", async () => {
    const subscriber = await Subscriber.open(one, receiver, createdOnly);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.create();
    await subscriber.until(1);
    const through = throughInstance(two, subscriber.account);
    await advance(through, 14);
    expect(at(await subscriber.listed(), "failing_since")).toBeNull();
    await advance(throughInstance(three, subscriber.account), 60);
    expect(subscriber.gaps).toEqual([20]);
    expect(at(await subscriber.listed(), "failing_since")).toBeNull();
  });

  test("what one had under way when it was killed another sends, under the same id", async () => {
    const doomed = await instances.start();
    const subscriber = await Subscriber.open(doomed, receiver, createdOnly);
    subscriber.answer((response, index) => (index === 0 ? silence : status(204))(response, index));
    await subscriber.create();
    await subscriber.until(1);
    await doomed.end("SIGKILL");
    const [first, second] = await subscriber.until(2);
    expect(second?.event.id).toBe(first?.event.id);
  });

  test("a clock that one let stand when it was killed runs on, and can be moved", async () => {
    const doomed = await instances.start();
    const subscriber = await Subscriber.open(doomed, receiver, createdOnly);
    subscriber.answer(silence);
    await subscriber.create();
    await subscriber.until(1);
    // It waits for the silent address, seconds long.
    const cut = subscriber.advance(1).catch(() => "cut");
    const through = throughInstance(one, subscriber.account);
    const waiting = advance(through, 60);
    await doomed.end("SIGKILL");
    expect(await cut).toBe("cut");
    expect((await waiting).status).toBe(200);
  });

  test("one that is told to stop finishes its requests and its attempts", async () => {
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
    const through = throughInstance(one, subscriber.account);
    await advance(through, 7200);
    expect(subscriber.arrivals).toHaveLength(1);
  });

  /** Waits until it takes no connection any more. */
  async function refused({ url }: Instance): Promise<void> {
    for (;;) {
      const answer = await fetch(`${url}/healthz`, { headers: { connection: "close" } }).catch(
        () => undefined,
      );
      if (answer === undefined) return;
      await answer.arrayBuffer();
    }
  }
});
