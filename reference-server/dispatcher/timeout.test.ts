import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import type { RunningServer } from "../embedded.ts";
import { withStandingClock } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, silence, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };

/** Shorter than the real timeout, because no response comes. */
const soonSilent = (deps: Dependencies): Dependencies => {
  const webhooks = { ...deps.limits.webhooks, standstillMs: 1000 };
  return { ...deps, limits: { ...deps.limits, webhooks } };
};

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;

  beforeAll(async () => {
    [server, receiver] = await Promise.all([
      database.start({ mutate: (deps) => withStandingClock(soonSilent(deps)) }),
      openReceiver(),
    ]);
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const subscribed = (subscription?: object) => Subscriber.open(server, receiver, subscription);

  describe("an attempt without a response", () => {
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
      "times out in %s after 15 s, and is retried 5 s later",
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
  });
});
