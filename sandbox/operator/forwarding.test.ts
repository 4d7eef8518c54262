import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dependencies, WebhookRequest } from "../../reference-server/dependencies.ts";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import type { SentEventSummary } from "../console/types.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf, sentTo } from "../testing/console.ts";
import { type AttemptReport, withAttemptReports } from "./attempt-reports.ts";
import { Forwarding } from "./forwarding.ts";

/** Accepts every request and never responds. */
const silent = createServer(() => {});
const told: AttemptReport[] = [];
let deps: Dependencies;
let server: RunningServer;
let account: Account;

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const options = {
    urls: [`http://127.0.0.1:${port}/hooks`],
    secret: undefined,
    kinds: ["delivery.created"],
    headers: {},
  };
  const forwarding = new Forwarding(options);
  server = await startReferenceServer({
    mutate: (original) => {
      const reporting = withAttemptReports((attempt) => told.push(attempt));
      deps = reporting(forwarding.mutate(withSandbox(null)(original)));
      return deps;
    },
  });
  account = await openAccount(server);
  await linkStore(account);
  await forwarding.prepare(deps, account.clientId);
});
afterAll(async () => {
  await server.close();
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

/** The event in the console's list, polled until the attempt is recorded. */
const inConsole = async (): Promise<SentEventSummary | undefined> =>
  (await sentTo(consoleOf(server), account))[0];

test("an endpoint that doesn't answer in 15 s is reported, with the wait until the next attempt", async () => {
  await createDelivery(account, "late").expect(201);
  await advanceClock(account, 16).expect(200);
  await expect.poll(() => told.length).toBeGreaterThan(0);
  expect(told[0]).toMatchObject({
    outcome: { fault: "not answered in time" },
    attempt: 1,
    nextIn: 5_000,
    isDelivered: false,
    closes: false,
  });
});

test("the console shows the time of the next attempt, and why the last one failed", async () => {
  await advanceClock(account, 30).expect(200);
  await expect.poll(async () => (await inConsole())?.failures).toBe(2);
  const event = await inConsole();
  expect(event?.outcome).toEqual({
    text: "not answered in time",
    words: "it didn't respond within 15 s",
  });
  const path = `/integrators/${account.clientId}/sent/${event?.event_id}/${event?.webhook_id}`;
  const { attempts } = (await consoleOf(server).get(path).expect(200)).body;
  const ended = Date.parse(attempts[0].started_at) + attempts[0].took_ms;
  expect(attempts[0]).toMatchObject({ ordinal: 2, status: null });
  expect(Date.parse(event?.next_at ?? "") - ended).toBeGreaterThanOrEqual(299_000);
  expect(Date.parse(event?.next_at ?? "") - ended).toBeLessThanOrEqual(301_000);
});

test("another integrator with the same URL gets no private access and no added headers", async () => {
  const url = "https://receiver.internal/hooks";
  const sent: WebhookRequest[] = [];
  const headers = { "x-tenant": "moda" };
  const forwarding = new Forwarding({ urls: [url], secret: undefined, kinds: ["delivery.created"], headers });
  let made: Dependencies | undefined;
  const shared = await startReferenceServer({
    mutate(original) {
      const post: Dependencies["transport"]["post"] = async (_all, outgoing) => {
        sent.push(outgoing);
        return { status: 204, location: undefined };
      };
      made = forwarding.mutate({ ...original, transport: { ...original.transport, post } });
      return made;
    },
  });
  const [own, other] = [await openAccount(shared), await openAccount(shared)];
  await forwarding.prepare(made ?? deps, own.clientId);
  await other.api
    .post("/v1/webhooks")
    .send({ url, event_types: ["delivery.created"] })
    .expect(201);
  for (const each of [own, other]) {
    await linkStore(each);
    await createDelivery(each, "same").expect(201);
    await advanceClock(each, 1).expect(200);
  }
  await shared.close();
  const told = sent.map(({ trust, headers: { "x-tenant": tenant } }) => ({ trust, tenant }));
  expect(told).toEqual([
    { trust: { ca_pem: null }, tenant: "moda" },
    { trust: null, tenant: undefined },
  ]);
});
