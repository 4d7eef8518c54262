import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import { onEachDatabase } from "../../reference-server/testing/databases.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf, sentTo } from "../testing/console.ts";
import { inboxUrl } from "./inbox.ts";

onEachDatabase((database) => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await database.start({ mutate: withSandbox(null) });
  });
  afterAll(() => server.close());

  async function integrator(at = server): Promise<Account> {
    const account = await openAccount(at);
    await linkStore(account);
    return account;
  }
  /** Subscribes an inbox with this response. @returns the subscription's id */
  async function subscribe({ api }: Account, answer?: string): Promise<string> {
    const { body } = await api
      .post("/v1/webhooks")
      .send({ url: inboxUrl("mine", answer) })
      .expect(201);
    return body.id;
  }

  test("an inbox verifies events, and responds as its URL says", async () => {
    const account = await integrator();
    const taking = await subscribe(account);
    const failing = await subscribe(account, "500");
    const silent = await subscribe(account, "silence");
    await createDelivery(account, "three-inboxes").expect(201);
    await advanceClock(account, 16);
    const all = await sentTo(consoleOf(server), account);
    const sent = (id: string) => all.filter(({ webhook_id }) => webhook_id === id);
    expect(sent(taking).map(({ outcome }) => outcome?.text)).toEqual(["200", "200"]);
    expect(sent(failing).map(({ state }) => state)).toEqual(["PENDING", "PENDING"]);
    expect(sent(silent).map(({ outcome }) => outcome?.text)).toEqual([
      "not answered in time",
      "not answered in time",
    ]);
  });

  test("an inbox detects a wrong signature", async () => {
    const broken = await database.start({
      mutate: (deps) =>
        withSandbox(null)({
          ...deps,
          signer: { ...deps.signer, text: (id, timestamp) => `${id}.${timestamp}` },
        }),
    });
    const account = await integrator(broken);
    await subscribe(account);
    await createDelivery(account, "badly-signed").expect(201);
    await advanceClock(account, 1);
    const sent = await sentTo(consoleOf(broken), account);
    expect(sent.map(({ outcome }) => outcome?.text)).toEqual(["401", "401"]);
    await broken.close();
  });
});
