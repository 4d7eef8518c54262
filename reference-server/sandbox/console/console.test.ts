import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../../embedded.ts";
import type { Parts } from "../../parts.ts";
import { at, type Send, sender } from "../../testing/client.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { openReceiver, status, type TestReceiver } from "../../testing/receiver.ts";
import { Subscriber } from "../../testing/subscriber.ts";
import { inboxUrl } from "./inbox.ts";
import { withSandbox } from "./sandbox.ts";

/** One window for all time: what is left doesn't change with the minute. */
function withoutMinutes(parts: Parts): Parts {
  const { rate } = parts.limits;
  const integrator = { ...rate.integrator, windowMs: Number.MAX_SAFE_INTEGER };
  return { ...parts, limits: { ...parts.limits, rate: { ...rate, integrator } } };
}

onEachDatabase((database) => {
  let server: RunningServer;
  let receiver: TestReceiver;
  let console: Send;

  beforeAll(async () => {
    [server, receiver] = await Promise.all([
      database.start({ mutate: (parts) => withSandbox(null)(withoutMinutes(parts)) }),
      openReceiver(),
    ]);
    console = sender(`${server.url}/console/api`, { authorization: `Bearer ${server.controlToken}` });
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const items = (body: unknown): unknown[] => {
    const list = at(body, "items");
    return Array.isArray(list) ? list : [];
  };
  const of = ({ account }: Subscriber, path: string) => `/integrators/${account.clientId}${path}`;

  describe("the console's interface", () => {
    test("needs the control token", async () => {
      for (const headers of [{}, { authorization: "Bearer something else" }]) {
        const answer = await sender(`${server.url}/console/api`, headers)("GET", "/overview");
        expect(answer.status).toBe(401);
      }
      expect((await console("GET", "/overview")).status).toBe(200);
    });

    test("isn't there without one, nor is the page", async () => {
      const without = await database.start({ controlToken: null, mutate: withSandbox(null) });
      for (const path of ["/console", "/console/api/overview", "/console/files/main.js"]) {
        expect((await fetch(`${without.url}${path}`)).status).toBe(404);
        expect((await fetch(`${server.url}${path}`)).status).not.toBe(404);
      }
      await without.close();
    });

    test("serves its own files alone, under a policy that lets nothing else in", async () => {
      const page = await fetch(`${server.url}/console`);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      for (const file of ["..%2f..%2fserver.ts", "console.test.ts", "nothing.js"]) {
        expect((await fetch(`${server.url}/console/files/${file}`)).status).toBe(404);
      }
    });

    test("refuses what it doesn't understand", async () => {
      const someone = await Subscriber.open(server, receiver);
      const cases: [path: string, body: unknown, expected: number][] = [
        ["/integrators", { name: "" }, 400],
        ["/integrators", "{", 400],
        [of(someone, "/inbox"), { answer: "99" }, 400],
        [of(someone, "/redeliveries"), { webhook_id: someone.id }, 400],
        [of(someone, "/redeliveries"), { webhook_id: someone.id, since: "yesterday" }, 400],
        [of(someone, "/redeliveries"), { webhook_id: "unknown", since: "2026-01-01T00:00:00Z" }, 404],
        ["/integrators/nobody/inbox", {}, 404],
      ];
      for (const [path, body, expected] of cases) {
        expect((await console("POST", path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(expected);
      }
      expect((await console("GET", "/deliveries/unknown")).status).toBe(404);
    });

    test("doesn't count what it reads towards anyone's limit", async () => {
      const someone = await Subscriber.open(server, receiver);
      const remaining = async () => {
        const summaries = at((await console("GET", "/overview")).body, "integrators");
        const all = Array.isArray(summaries) ? summaries : [];
        return at(
          all.find((one) => at(one, "client_id") === someone.account.clientId),
          "limit",
          "remaining",
        );
      };
      const before = Number(await remaining());
      expect(await remaining()).toBe(before);
      const answer = await someone.account.send("GET", "/v1/stores");
      expect(await remaining()).toBe(Number(answer.headers.get("x-ratelimit-remaining")));
    });
  });

  describe("sending again", () => {
    test("sends what was given up once more, under its own identifier", async () => {
      const someone = await Subscriber.open(server, receiver);
      someone.answer(status(500));
      await someone.create();
      await someone.advance(2 * 24 * 3600);
      expect(someone.arrivals).toHaveLength(16);
      const [first] = items((await console("GET", of(someone, "/sent"))).body);
      expect(first).toMatchObject({ state: "FAILED", failures: 8, next_at: null });
      someone.answer(status(204));
      const event_id = at(first, "event_id");
      const answer = await console("POST", of(someone, "/redeliveries"), {
        webhook_id: someone.id,
        event_id,
      });
      expect(answer).toMatchObject({ status: 202, body: { events: 1 } });
      const arrivals = await someone.until(17);
      expect(arrivals.at(-1)?.headers["webhook-id"]).toBe(event_id);
      // What was answered is written down once the answer has come.
      const ninth = async () => {
        const sent = await console("GET", of(someone, `/sent/${event_id}/${someone.id}`));
        return at(sent.body, "attempts", 8);
      };
      await expect.poll(ninth, { timeout: 10_000 }).toMatchObject({ ordinal: 9, status: 204 });
    });

    test("has an address catch up on what happened before it was registered", async () => {
      const someone = await Subscriber.open(server, receiver);
      await someone.create();
      await someone.until(2);
      const late = await Subscriber.also(someone.account, receiver);
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const answer = await console("POST", of(someone, "/redeliveries"), { webhook_id: late.id, since });
      expect(answer.body).toEqual({ events: 2 });
      expect((await late.until(2)).map(({ event }) => event.type).toSorted()).toEqual([
        "delivery.created",
        "delivery.queued",
      ]);
    });

    test("is refused for an address that was closed", async () => {
      const someone = await Subscriber.open(server, receiver);
      someone.answer(status(410));
      await someone.create();
      await someone.until(1);
      await someone.advance(1);
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const answer = await console("POST", of(someone, "/redeliveries"), { webhook_id: someone.id, since });
      expect(answer.status).toBe(409);
    });
  });

  describe("the inbox", () => {
    test("answers as its address asks, after verifying what came", async () => {
      const someone = await Subscriber.open(server, receiver);
      const outcomes: Record<string, unknown> = {};
      for (const answer of [undefined, "500", "silence"]) {
        const url = inboxUrl("mine", answer);
        const created = await someone.account.send("POST", "/v1/webhooks", { url });
        expect(created.status).toBe(201);
        outcomes[String(at(created.body, "id"))] = answer;
      }
      await someone.create();
      await someone.advance(16);
      const sent = items((await console("GET", of(someone, "/sent"))).body);
      const ended = (answer: string | undefined) =>
        sent.filter(
          (one) =>
            outcomes[String(at(one, "webhook_id"))] === answer && String(at(one, "webhook_id")) in outcomes,
        );
      expect(ended(undefined).map((one) => at(one, "outcome"))).toEqual(["200", "200"]);
      expect(ended("500").map((one) => at(one, "state"))).toEqual(["PENDING", "PENDING"]);
      expect(ended("silence").map((one) => at(one, "outcome"))).toEqual([
        "not answered in time",
        "not answered in time",
      ]);
    });

    test("finds a signature that is wrong", async () => {
      const broken = await database.start({
        mutate: (parts) =>
          withSandbox(null)({
            ...parts,
            signer: { ...parts.signer, text: (id, timestamp) => `${id}.${timestamp}` },
          }),
      });
      const someone = await Subscriber.open(broken, receiver);
      await someone.account.send("POST", "/v1/webhooks", { url: inboxUrl("mine") });
      await someone.create();
      await someone.advance(1);
      const look = sender(`${broken.url}/console/api`, { authorization: `Bearer ${broken.controlToken}` });
      const sent = items((await look("GET", of(someone, "/sent"))).body);
      expect(sent.filter((one) => at(one, "outcome") === "401")).toHaveLength(2);
      await broken.close();
    });
  });
});
