import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { withLongLivedTokens, withStandingClock } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, silence, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };
const hours = 3600;

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;

  beforeAll(async () => {
    [server, receiver] = await Promise.all([
      database.start({ mutate: (deps) => withStandingClock(withLongLivedTokens(deps)) }),
      openReceiver(),
    ]);
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const subscribed = (subscription?: object) => Subscriber.open(server, receiver, subscription);

  describe("an attempt that fails", () => {
    test("is made eight times in total, on schedule, with one id, the same bytes and new signatures", async () => {
      const subscriber = await subscribed(createdOnly);
      subscriber.answer(status(500));
      await subscriber.create();
      await subscriber.advance(40 * hours);
      const { arrivals } = subscriber;
      expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(new Set(arrivals.map(({ body }) => body)).size).toBe(1);
      expect(new Set(arrivals.map(({ headers }) => headers["webhook-signature"])).size).toBe(8);
      expect(subscriber.gaps).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
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
      expect(subscriber.gaps).toEqual([5]);
      expect(receiver.at("/elsewhere")).toEqual([]);
      expect((await subscriber.listed()).failing_since).toBeNull();
    });

    test("doesn't fail because of a long response body", async () => {
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

    test("delays no event for another endpoint", async () => {
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
});
