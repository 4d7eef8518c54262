/** The console in a browser, for tests of its views. */

import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import type { Database } from "../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";
import { openReceiver, type TestReceiver } from "../../../reference-server/testing/receiver.ts";
import { Subscriber } from "../../../reference-server/testing/subscriber.ts";
import { SignInLink } from "../../console/sign-in-link.ts";
import { FaultSwitch } from "../../faults/fault-switch.ts";
import { withSandbox } from "../../sandbox.ts";
import { isBrowserMissing, openBrowser, openPage } from "./browser.ts";

const batch = 1000;

/** Repeats an event of a delivery until its endpoint has `count` events. */
async function fillEvents(database: Database, deliveryId: string, count: number): Promise<void> {
  const event = await database
    .selectFrom("events")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirstOrThrow();
  const sent = await database
    .selectFrom("outbox")
    .selectAll()
    .where("event_id", "=", event.id)
    .executeTakeFirstOrThrow();
  const { there } = await database
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("there"))
    .where("webhook_id", "=", sent.webhook_id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: count - there }, (_, index) => ({
    ...event,
    id: randomUUID(),
    occurred_at: event.occurred_at - 1000 * (index + 1),
  }));
  for (let from = 0; from < copies.length; from += batch) {
    const events = copies.slice(from, from + batch);
    await database.insertInto("events").values(events).execute();
    await database
      .insertInto("outbox")
      .values(events.map(({ id }) => ({ ...sent, event_id: id })))
      .execute();
  }
}

export const controlToken = "control-token-of-the-test";

interface Console {
  readonly link: () => string;
  readonly database: Database;
}

/** A signed-out page, and an integrator with a store and an endpoint. */
export class ConsolePage {
  readonly url: string;
  readonly page: Page;
  readonly someone: Subscriber;
  /** Errors on the page. Errors that the test doesn't remove fail the test. */
  readonly faults: string[];
  /** Returns a new sign-in link, as shown on the terminal. */
  readonly link: () => string;
  readonly #database: Database;

  constructor(url: string, page: Page, someone: Subscriber, faults: string[], console: Console) {
    this.link = console.link;
    this.#database = console.database;
    this.url = url;
    this.page = page;
    this.someone = someone;
    this.faults = faults;
  }

  async signIn(hash = ""): Promise<void> {
    await this.page.goto(`${this.url}/console${hash}`);
    await this.page.getByLabel("Control token").fill(controlToken);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("navigation", { name: "Console" }).waitFor();
  }

  /**
   * Opens a view by its link, and waits until it is shown, because other views have fields with the same
   * names.
   */
  async go(view: string): Promise<void> {
    const views = this.page.getByRole("navigation", { name: "Console" });
    await views.getByRole("link", { name: view }).click();
    await this.page.getByRole("heading", { name: view, exact: true }).waitFor();
  }

  async choose(): Promise<void> {
    await this.page.getByLabel("Integrator").selectOption(this.someone.account.clientId);
  }

  /** Waits until the page shows this message. If the page doesn't, the error contains the message that is shown. */
  async said(words: string | RegExp): Promise<void> {
    const said = () => this.page.getByRole("status").allTextContents();
    await expect.poll(said, { timeout: 30_000 }).toContainEqual(expect.stringMatching(words));
  }

  /** Repeats the latest event of a delivery until the integrator has `count` events, all delivered. */
  async fillEvents(deliveryId: string, count: number): Promise<void> {
    await fillEvents(this.#database, deliveryId, count);
  }

  /**
   * Opens a delivery of the integrator.
   * @returns its id
   */
  async created(more?: object): Promise<string> {
    return (await this.someone.create(more).expect(201)).body.id;
  }
}

/** Runs tests, each with a new page, which `opened` returns. */
export function describeConsole(what: string, tests: (opened: () => ConsolePage) => void): void {
  describe.skipIf(isBrowserMissing)(what, () => {
    let server: RunningServer;
    let receiver: TestReceiver;
    let browser: Browser;
    let opened: ConsolePage;
    let deps: Dependencies;
    let link: () => string;

    beforeAll(async () => {
      // A speed so low that only tests move deliveries.
      const signIn = new SignInLink(controlToken, () => {});
      const mutate = (original: Dependencies) => {
        deps = withSandbox(
          { seed: "1", speed: 0.001 },
          { signInLink: signIn, faults: new FaultSwitch() },
        )(original);
        return deps;
      };
      link = () => signIn.at(deps, `${server.url}/console`);
      [server, receiver, browser] = await Promise.all([
        startReferenceServer({ controlToken, mutate }),
        openReceiver(),
        openBrowser(),
      ]);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      await receiver?.close();
    });

    beforeEach(async () => {
      const someone = await Subscriber.open(server, receiver);
      const { page, faults } = await openPage(browser, server.url);
      opened = new ConsolePage(server.url, page, someone, faults, { link, database: deps.database });
    });
    afterEach(async () => {
      await opened.page.context().close();
      expect(opened.faults).toEqual([]);
    });

    tests(() => opened);
  });
}
