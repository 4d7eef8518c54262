import type { Agent } from "supertest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../../reference-server/embedded.ts";
import { onEachDatabase } from "../../reference-server/testing/databases.ts";
import { openReceiver, status, type TestReceiver } from "../../reference-server/testing/receiver.ts";
import { Subscriber } from "../../reference-server/testing/subscriber.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf, sentTo } from "../testing/console.ts";

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;
  let console: Agent;

  beforeAll(async () => {
    [server, receiver] = await Promise.all([database.start({ mutate: withSandbox(null) }), openReceiver()]);
    console = consoleOf(server);
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const sendAgain = ({ account }: Subscriber, what: object) =>
    console.post(`/integrators/${account.clientId}/redeliveries`).send(what);
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

  describe("sending again", () => {
    test("sends an event that was given up again, with its webhook-id", async () => {
      const someone = await Subscriber.open(server, receiver);
      someone.answer(status(500));
      await someone.create();
      await someone.advance(2 * 24 * 3600);
      expect(someone.arrivals).toHaveLength(16);
      const [first] = await sentTo(console, someone.account);
      expect(first).toMatchObject({ state: "FAILED", failures: 8, next_at: null });
      someone.answer(status(204));
      const event_id = first?.event_id;
      await sendAgain(someone, { webhook_id: someone.id, event_id }).expect(202, { events: 1 });
      const arrivals = await someone.until(17);
      expect(arrivals.at(-1)?.headers["webhook-id"]).toBe(event_id);
      // The outcome is recorded shortly after the response.
      const latest = async () => {
        const path = `/integrators/${someone.account.clientId}/sent/${event_id}/${someone.id}`;
        return (await console.get(path)).body.attempts[0];
      };
      await expect.poll(latest).toMatchObject({ ordinal: 9, status: 204 });
    });

    test("sends an endpoint the events from before its registration", async () => {
      const someone = await Subscriber.open(server, receiver);
      await someone.create();
      await someone.until(2);
      const late = await Subscriber.also(someone.account, receiver);
      await sendAgain(someone, { webhook_id: late.id, since: anHourAgo() }).expect(202, { events: 2 });
      expect((await late.until(2)).map(({ event }) => event.type).toSorted()).toEqual([
        "delivery.created",
        "delivery.queued",
      ]);
    });

    test("is refused for a closed endpoint", async () => {
      const someone = await Subscriber.open(server, receiver);
      someone.answer(status(410));
      await someone.create();
      await someone.until(1);
      await someone.advance(1);
      await sendAgain(someone, { webhook_id: someone.id, since: anHourAgo() }).expect(409);
    });

    test("is refused if the request is invalid", async () => {
      const someone = await Subscriber.open(server, receiver);
      await sendAgain(someone, { webhook_id: someone.id }).expect(400);
      await sendAgain(someone, { webhook_id: someone.id, since: "yesterday" }).expect(400);
      await sendAgain(someone, { webhook_id: "unknown", since: anHourAgo() }).expect(404);
    });
  });
});
