import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { withLongLivedTokens, withStandingClock } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;

  beforeAll(async () => {
    [server, receiver] = await Promise.all([database.start({ mutate: withLongLivedTokens }), openReceiver()]);
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const subscribed = (subscription?: object) => Subscriber.open(server, receiver, subscription);

  describe("an event", () => {
    test("contains the delivery as GET returns it, and is signed with the endpoint's secret", async () => {
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

    test("of a test delivery: created and cancelled", async () => {
      const subscriber = await subscribed();
      await subscriber.create({ test: true });
      const arrivals = await subscriber.until(2);
      expect(arrivals.map(({ event }) => [event.type, event.data?.version]).sort()).toEqual([
        ["delivery.cancelled", 2],
        ["delivery.created", 1],
      ]);
    });

    test("goes to each endpoint that subscribes to its type, and to no other integrator's", async () => {
      const [subscriber, other] = [await subscribed(createdOnly), await subscribed()];
      const second = await Subscriber.also(subscriber.account, receiver, {
        event_types: ["delivery.queued"],
      });
      await subscriber.create();
      expect((await subscriber.until(1))[0]?.event.type).toBe("delivery.created");
      expect((await second.until(1))[0]?.event.type).toBe("delivery.queued");
      await other.test();
      expect((await other.until(1)).map(({ event }) => event.type)).toEqual(["webhook.test"]);
    });

    test("of a test request goes to its endpoint regardless of the subscribed types, with null data", async () => {
      const subscriber = await subscribed(createdOnly);
      const answer = await subscriber.test().expect(202);
      const [arrival] = await subscriber.until(1);
      expect(arrival?.event).toMatchObject({
        id: answer.body.event_id,
        type: "webhook.test",
        data: null,
      });
    });

    test("of a position goes to endpoints that list its type, at most once every 30 s", async () => {
      const standing = await database.start({ mutate: withStandingClock });
      onTestFinished(() => standing.close());
      const subscriber = await Subscriber.open(standing, receiver);
      const subscription = { event_types: ["delivery.courier_location"] };
      const positions = await Subscriber.also(subscriber.account, receiver, subscription);
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
});
