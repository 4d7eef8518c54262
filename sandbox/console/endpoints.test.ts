import type { Agent } from "supertest";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningServer } from "../../reference-server/embedded.ts";
import { withStandingClock } from "../../reference-server/testing/clocks.ts";
import { onEachDatabase } from "../../reference-server/testing/databases.ts";
import { openReceiver, status, type TestReceiver } from "../../reference-server/testing/receiver.ts";
import { Subscriber } from "../../reference-server/testing/subscriber.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf, sentTo } from "../testing/console.ts";
import type { SentEventSummary, SubscriptionSummary } from "./types.ts";

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

  const addresses = async ({ account }: Subscriber): Promise<SubscriptionSummary[]> =>
    (await console.get(`/integrators/${account.clientId}/webhooks`).expect(200)).body.items;
  const at = ({ account, id }: Subscriber) => `/integrators/${account.clientId}/webhooks/${id}`;

  describe("an endpoint in the console", () => {
    test("is added by the rules of POST /v1/webhooks, tested, and deleted", async () => {
      const someone = await Subscriber.open(server, receiver);
      const all = `/integrators/${someone.account.clientId}/webhooks`;
      const url = `${receiver.origin}/added`;
      const subscription = { url, description: "Kasa 7", event_types: ["delivery.failed"] };
      const { body: made } = await console.post(all).send(subscription).expect(201);
      expect(made).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_/) });
      expect((await addresses(someone)).find(({ id }) => id === made.id)).toMatchObject(subscription);
      await console.post(`${all}/${made.id}/test`).expect(202);
      const [trial] = await receiver.until("/added", 1);
      expect(trial?.event).toMatchObject({ type: "webhook.test", data: null });
      await console.delete(`${all}/${made.id}`).expect(204);
      expect((await addresses(someone)).map(({ id }) => id)).toEqual([someone.id]);
      await console.delete(`${all}/${made.id}`).expect(404);
      for (const wrong of [{ url: "http://example.com" }, { url, description: "x".repeat(201) }, {}]) {
        expect([wrong, (await console.post(all).send(wrong)).status]).toEqual([wrong, 400]);
      }
      for (let count = 0; count < 4; count++) await console.post(all).send({ url }).expect(201);
      await console.post(all).send({ url }).expect(409);
    });

    test("gets a new secret, after which the old one no longer signs", async () => {
      const someone = await Subscriber.open(server, receiver);
      const { body } = await console.post(`${at(someone)}/rotate`).expect(200);
      expect(body).toEqual({ id: someone.id, secret: expect.stringMatching(/^whsec_/) });
      expect(body.secret).not.toBe(someone.secret);
    });

    test("shows since when and why it fails, the pending events and its closing time", async () => {
      const someone = await Subscriber.open(server, receiver);
      const [healthy] = await addresses(someone);
      expect(healthy).toMatchObject({ failing_since: null, closes_at: null, last_failure: null });
      someone.answer(status(503));
      await someone.create();
      await someone.until(2);
      const failing = async () => (await addresses(someone))[0];
      await expect.poll(failing).toMatchObject({
        status: "ACTIVE",
        events: { waiting: 2, delivered: 0, failed: 0, cancelled: 0 },
        last_failure: { text: "503", words: null },
      });
      const afterFailingFor = async (instant: "closes_at" | "next_at") => {
        const address = await failing();
        return Date.parse(address?.[instant] ?? "") - Date.parse(address?.failing_since ?? "");
      };
      expect(await afterFailingFor("closes_at")).toBe(5 * 24 * 3_600_000);
      // The next attempt is the first attempt of the second event, until the second event fails too.
      await expect.poll(() => afterFailingFor("next_at")).toBeGreaterThanOrEqual(5_000);
      someone.answer(status(410));
      await someone.advance(5);
      await expect.poll(failing).toMatchObject({ status: "CLOSED", events: { waiting: 0 }, closes_at: null });
    });
  });

  describe("the search for events", () => {
    let someone: Subscriber;
    let first: string;
    const events = async (filter: Record<string, string>): Promise<SentEventSummary[]> =>
      (await console.get(`/integrators/${someone.account.clientId}/sent`).query(filter).expect(200)).body
        .items;

    beforeAll(async () => {
      someone = await Subscriber.open(server, receiver);
      first = (await someone.create({ external_ref: "Kasa_100%" })).body.id;
      await someone.move(first, "assigned").expect(204);
      await someone.create({ external_ref: "Kasa-200" });
      await someone.until(5);
      await vi.waitUntil(async () => (await events({ state: "DELIVERED" })).length === 5, 60_000);
    });

    test.each([
      ["kind", { type: "delivery.assigned" }, 1],
      ["state", { state: "PENDING" }, 0],
      ["by text in the order number, ignoring case", { text: "kasa_1" }, 3],
      ["by text that contains a wildcard", { text: "0%" }, 3],
      ["text in nothing", { text: "Kasa%2" }, 0],
      ["before", { to: "2020-01-01T00:00:00Z" }, 0],
      ["after", { from: "2020-01-01T00:00:00Z" }, 5],
    ])("%s: %j", async (_, filter, count) => {
      expect(await events(filter)).toHaveLength(count);
    });

    test("delivery, and address", async () => {
      expect(await events({ delivery_id: first })).toHaveLength(3);
      expect(await events({ webhook_id: someone.id })).toHaveLength(5);
      expect(await events({ webhook_id: "another" })).toHaveLength(0);
    });

    test("a page at a time, with counts of all and by state", async () => {
      const page = (query: string) =>
        console.get(`/integrators/${someone.account.clientId}/sent?limit=2&${query}`).expect(200);
      const pages = await Promise.all([page("offset=0"), page("offset=2"), page("offset=4")]);
      for (const { body } of pages) expect(body).toMatchObject({ total: 5, by_state: { DELIVERED: 5 } });
      const ids = pages.flatMap(({ body }) => body.items.map((item: SentEventSummary) => item.event_id));
      expect(ids).toEqual((await sentTo(console, someone.account)).map(({ event_id }) => event_id));
    });

    test("with equal times are ordered by id, so that pages don't overlap", async () => {
      const standing = await database.start({
        mutate: (deps) => withSandbox(null)(withStandingClock(deps)),
      });
      const other = await Subscriber.open(standing, receiver);
      for (let count = 0; count < 8; count++) await other.create();
      const found = await sentTo(consoleOf(standing), other.account);
      await standing.close();
      const created = found.filter(({ type }) => type === "delivery.created").map(({ event_id }) => event_id);
      expect(created).toHaveLength(8);
      expect(created).toEqual(created.toSorted());
    });

    test("deliveries alike", async () => {
      const found = async (query: string) =>
        (await console.get(`/deliveries?client_id=${someone.account.clientId}&${query}`).expect(200)).body;
      expect(await found("")).toMatchObject({ total: 2, by_state: { QUEUED: 1, ASSIGNED: 1 } });
      expect(await found("status=QUEUED")).toMatchObject({ total: 1, by_state: { QUEUED: 1, ASSIGNED: 1 } });
      expect((await found("text=KASA-2")).total).toBe(1);
      expect((await found(`text=${first.slice(0, 8)}`)).items).toMatchObject([{ id: first }]);
      expect((await found("limit=1&offset=1")).items).toHaveLength(1);
      expect((await found("from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).total).toBe(0);
    });
  });
});
