import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, silence, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

/** The first attempt fails in real time, which may carry the second, 5 s later, over the end of a whole second. */
const WITHIN_A_SECOND_OF_5 = [5, 6];

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;

  beforeAll(async () => {
    receiver = await openReceiver();
    server = await database.start({
      // Tokens outlive the clocks that are moved here, and silence is known sooner.
      mutate: (parts) => ({
        ...parts,
        limits: {
          ...parts.limits,
          tokenSeconds: 100 * days,
          webhooks: { ...parts.limits.webhooks, standstillMs: 200 },
        },
      }),
    });
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const subscribed = (wish?: object) => Subscriber.open(server, receiver, wish);
  const createdOnly = { event_types: ["delivery.created"] };
  const hours = 3600;
  const days = 24 * hours;

  describe("an event", () => {
    test("is the delivery as GET shows it, signed for the address alone", async () => {
      const subscriber = await subscribed();
      const created = await subscriber.create();
      const arrivals = await subscriber.until(2);
      expect(arrivals.map(({ event }) => event.type).sort()).toEqual(["delivery.created", "delivery.queued"]);
      for (const { event, headers, body } of arrivals) {
        expect(event.data).toEqual(created.body);
        expect(headers["webhook-id"]).toBe(event.id);
        new Verifier(subscriber.secret).verify(body, Object(headers));
      }
    });

    test("of a trial delivery is its creation and its cancellation", async () => {
      const subscriber = await subscribed();
      await subscriber.create({ test: true });
      const arrivals = await subscriber.until(2);
      expect(arrivals.map(({ event }) => [event.type, event.data?.version]).sort()).toEqual([
        ["delivery.cancelled", 2],
        ["delivery.created", 1],
      ]);
    });

    test("goes to each address that wants its kind, and to nobody else's", async () => {
      const [subscriber, stranger] = [await subscribed(createdOnly), await subscribed()];
      const second = await Subscriber.also(subscriber.account, receiver, {
        event_types: ["delivery.queued"],
      });
      await subscriber.create();
      expect((await subscriber.until(1))[0]?.event.type).toBe("delivery.created");
      expect((await second.until(1))[0]?.event.type).toBe("delivery.queued");
      await stranger.test();
      expect((await stranger.until(1)).map(({ event }) => event.type)).toEqual(["webhook.test"]);
    });

    test("on trial goes to its address whatever that wants, with no data", async () => {
      const subscriber = await subscribed(createdOnly);
      const answer = await subscriber.test().expect(202);
      const [arrival] = await subscriber.until(1);
      expect(arrival?.event).toMatchObject({
        id: answer.body.event_id,
        type: "webhook.test",
        data: null,
      });
    });

    test("of a position is sent where it was asked for, at most every 30 s", async () => {
      const subscriber = await subscribed();
      const wish = { event_types: ["delivery.courier_location"] };
      const positions = await Subscriber.also(subscriber.account, receiver, wish);
      const { id } = (await subscriber.create()).body;
      await subscriber.move(id, "assigned");
      for (const seconds of [29, 1, 29, 60]) {
        await subscriber.move(id, "courier_location", { location: { lat: 41, lng: 29 } });
        await subscriber.advance(seconds);
      }
      await subscriber.move(id, "courier_location", { location: { lat: 41.1, lng: 29 } });
      await positions.until(3);
      await subscriber.advance(1);
      expect(positions.arrivals.map(({ event }) => event.data?.version)).toEqual([3, 5, 7]);
      expect(subscriber.arrivals.map(({ event }) => event.type)).not.toContain("delivery.courier_location");
    });
  });

  describe("an attempt that fails", () => {
    test("is made eight times, on time, with one id, the same bytes, and a signature of its own", async () => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer(status(500));
      await subscriber.create();
      await subscriber.advance(40 * hours);
      const { arrivals } = subscriber;
      expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(new Set(arrivals.map(({ body }) => body)).size).toBe(1);
      expect(new Set(arrivals.map(({ headers }) => headers["webhook-signature"])).size).toBe(8);
      const [second, ...later] = subscriber.gaps;
      expect(WITHIN_A_SECOND_OF_5).toContain(second);
      expect(later).toEqual([300, 1800, 7200, 18_000, 36_000, 36_000]);
    });

    test.each([
      ["a redirect", status(302, { location: "/elsewhere" })],
      ["an informal success", status(304)],
      ["a broken connection", (response) => void response.socket?.destroy()],
      ["a broken body", (response) => void response.writeHead(200).write("x", () => response.destroy())],
    ] satisfies [string, Parameters<Subscriber["answer"]>[0]][])("ends in %s", async (_what, reply) => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer((response, index) =>
        index === 0 ? reply(response, index) : status(204)(response, index),
      );
      await subscriber.create();
      await subscriber.until(1);
      await subscriber.advance(10 * hours);
      expect(subscriber.gaps).toHaveLength(1);
      expect(WITHIN_A_SECOND_OF_5).toContain(subscriber.gaps[0]);
      expect(receiver.at("/elsewhere")).toEqual([]);
      expect((await subscriber.listed()).failing_since).toBeNull();
    });

    test.each([
      ["silence", silence],
      [
        "a body that drips",
        (response) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write("."), 20);
          response.once("close", () => clearInterval(timer));
        },
      ],
    ] satisfies [string, Parameters<Subscriber["answer"]>[0]][])(
      "ends in %s: 15 s, then the retry 5 s later",
      async (_what, reply) => {
        const subscriber = await subscribed(createdOnly);
        subscriber.answer((response, index) =>
          index === 0 ? reply(response, index) : status(204)(response, index),
        );
        await subscriber.create();
        await subscriber.until(1);
        await subscriber.advance(14);
        expect((await subscriber.listed()).failing_since).toBeNull();
        await subscriber.advance(3);
        expect((await subscriber.listed()).failing_since).toEqual(expect.any(String));
        await subscriber.advance(60);
        expect(subscriber.gaps).toEqual([20]);
        expect((await subscriber.listed()).failing_since).toBeNull();
      },
    );

    test("isn't one whose body is longer than is read", async () => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer((response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
        };
        response.on("drain", more);
        more();
      });
      await subscriber.create();
      await subscriber.until(1);
      await subscriber.advance(10 * hours);
      expect(subscriber.arrivals).toHaveLength(1);
    });

    test("holds up nothing on its way elsewhere", async () => {
      const dead = await subscribed(createdOnly);
      dead.answer(silence);
      const alive = await Subscriber.also(dead.account, receiver, createdOnly);
      for (let round = 1; round <= 5; round++) {
        await dead.create();
        await alive.until(round);
        await dead.until(round);
      }
    });
  });

  describe("an address", () => {
    test("is closed at once by 410, and gets nothing more", async () => {
      const subscriber = await subscribed();
      subscriber.answer(status(410));
      await subscriber.create();
      await subscriber.until(1);
      await subscriber.advance(1);
      expect(await subscriber.listed()).toMatchObject({ status: "CLOSED" });
      const before = subscriber.arrivals.length;
      await subscriber.create();
      await subscriber.advance(2 * days);
      expect(subscriber.arrivals).toHaveLength(before);
      await subscriber.test().expect(404);
    });

    test("is opened again by registering it: the same id, a new secret, nothing of what was missed", async () => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer((response, index) => status(index === 0 ? 410 : 204)(response, index));
      await subscriber.create();
      await subscriber.until(1);
      await subscriber.advance(1);
      await subscriber.create();
      const url = `${receiver.origin}${subscriber.path}`;
      const again = await subscriber.account.api.post("/v1/webhooks").send({ url }).expect(201);
      expect(again.body).toMatchObject({ id: subscriber.id, status: "ACTIVE", failing_since: null });
      expect(again.body.secret).not.toBe(subscriber.secret);
      await subscriber.test();
      await subscriber.advance(2 * days);
      expect(subscriber.arrivals.map(({ event }) => event.type)).toEqual([
        "delivery.created",
        "webhook.test",
      ]);
    });

    test("is closed after failing for five days, which one success interrupts", async () => {
      const subscriber = await subscribed(createdOnly);
      let working = false;
      subscriber.answer((response, index) => status(working ? 204 : 500)(response, index));
      for (let day = 0; day < 4; day++) {
        await subscriber.create();
        await subscriber.advance(days);
      }
      working = true;
      await subscriber.create();
      await subscriber.advance(60);
      expect(await subscriber.listed()).toMatchObject({ status: "ACTIVE", failing_since: null });
      working = false;
      for (let day = 0; day < 5; day++) {
        await subscriber.create();
        await subscriber.advance(days);
        expect(await subscriber.listed()).toMatchObject({ status: "ACTIVE" });
      }
      await subscriber.create();
      await subscriber.advance(1);
      expect(await subscriber.listed()).toMatchObject({ status: "CLOSED" });
    });

    test("that is deleted gets no more of what was waiting", async () => {
      const subscriber = await subscribed();
      subscriber.answer(status(500));
      await subscriber.create();
      await subscriber.until(2);
      await subscriber.account.api.delete(`/v1/webhooks/${subscriber.id}`).expect(204);
      await subscriber.advance(2 * days);
      expect(subscriber.arrivals).toHaveLength(2);
      expect(await subscriber.listed()).toBeUndefined();
    });

    test("with a new secret gets retries signed with it", async () => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer((response, index) => status(index === 0 ? 500 : 204)(response, index));
      await subscriber.create();
      await subscriber.until(1);
      const rotated = await subscriber.account.api.post(`/v1/webhooks/${subscriber.id}/rotate`);
      await subscriber.advance(10);
      const [, retry] = subscriber.arrivals;
      const verify = (secret: string) => digestIn(secret, retry?.body ?? "", Object(retry?.headers));
      expect(verify(rotated.body.secret)).toBe(true);
      expect(verify(subscriber.secret)).toBe(false);
    });
  });

  /** The library refuses what is signed for a clock that was moved ahead, so only the signature is compared. */
  function digestIn(secret: string, body: string, headers: Record<string, string>): boolean {
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const due = new Verifier(secret).sign(headers["webhook-id"] ?? "", at, body);
    return due === headers["webhook-signature"];
  }
});
