import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../embedded.ts";
import { withLongLivedTokens } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };
const days = 24 * 3600;

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

  describe("an endpoint", () => {
    test("is closed immediately by a 410, and gets no more events", async () => {
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

    test("is reopened by registering it again: the same id, a new secret, no missed events", async () => {
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

    test("is closed after failing for five days without a success", async () => {
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

    test("that is deleted gets no pending events", async () => {
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
});

/** The library refuses timestamps of an advanced clock, so only the signature is compared. */
function digestIn(secret: string, body: string, headers: Record<string, string>): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const due = new Verifier(secret).sign(headers["webhook-id"] ?? "", at, body);
  return due === headers["webhook-signature"];
}
