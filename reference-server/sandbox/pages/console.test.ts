import type { Browser, Page } from "playwright-core";
import supertest from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { withToken } from "../../testing/accounts.ts";
import { store } from "../../testing/orders.ts";
import { openReceiver, status, type TestReceiver } from "../../testing/receiver.ts";
import { Subscriber } from "../../testing/subscriber.ts";
import { withSandbox } from "../console/sandbox.ts";
import { axeFindings, isBrowserMissing, openBrowser, openPage } from "./testing/browser.ts";

const controlToken = "control-token-of-the-test";
const hostile = "<img src=x onerror=\"document.title='hacked'\">";

describe.skipIf(isBrowserMissing)("the console in a browser", { timeout: 90_000 }, () => {
  let server: RunningServer;
  let receiver: TestReceiver;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let someone: Subscriber;

  beforeAll(async () => {
    // So slow that nothing is moved but by hand.
    const mutate = withSandbox({ seed: "1", speed: 0.001 });
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
    someone = await Subscriber.open(server, receiver);
    ({ page, faults } = await openPage(browser, server.url));
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  async function signIn(hash = ""): Promise<void> {
    await page.goto(`${server.url}/console${hash}`);
    await page.getByLabel("Control token").fill(controlToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation").waitFor();
  }
  const created = async (more?: object): Promise<string> => (await someone.create(more)).body.id;
  const choose = (client = someone.account.clientId) => page.getByLabel("Integrator").selectOption(client);
  const said = (words: string | RegExp) => page.getByRole("status").filter({ hasText: words }).waitFor();

  test("lets nobody in without the token, and keeps it out of addresses", async () => {
    await page.goto(`${server.url}/console`);
    await page.getByLabel("Control token").fill("something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This isn't the control token.").waitFor();
    // The browser itself tells of the 401.
    expect(faults.splice(0).every((fault) => fault.includes("401"))).toBe(true);
    await page.getByLabel("Control token").fill(controlToken);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    expect(page.url()).not.toContain(controlToken);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Control token").waitFor();
    await page.reload();
    await page.getByLabel("Control token").waitFor();
  });

  test("shows deliveries as they change, by integrator, status and order number", async () => {
    await signIn();
    await choose();
    await page.getByText("No delivery fits the filter.").waitFor();
    const [one, other] = [await created(), await created()];
    await page.locator(`a[href="#/deliveries/${one}"]`).filter({ hasText: "QUEUED" }).waitFor();
    await someone.move(one, "assigned");
    await page
      .locator(`a[href="#/deliveries/${one}"]`)
      .filter({ hasText: "ASSIGNED" })
      .filter({ hasText: "v2" })
      .waitFor();
    await page.getByLabel("Status").selectOption("ASSIGNED");
    await page.locator(`a[href="#/deliveries/${other}"]`).waitFor({ state: "detached" });
    await page.getByLabel("Status").selectOption("");
    const { body } = await someone.account.api.get(`/v1/deliveries/${other}`);
    await page.getByLabel("Order number").fill(body.external_ref);
    await page.locator(`a[href="#/deliveries/${one}"]`).waitFor({ state: "detached" });
    await page.locator(`a[href="#/deliveries/${other}"]`).waitFor();
  });

  test("moves a courier by hand, by what the state allows, and draws its way", async () => {
    const id = await created();
    await signIn(`#/deliveries/${id}`);
    const hand = page.getByRole("group", { name: "Move by hand" });
    for (const action of ["Offer to a courier", "Assign", "At the restaurant", "Picked up", "On the way"]) {
      await hand.getByRole("button", { name: action, exact: true }).click();
    }
    for (const [lat, lng] of [
      [41.01, 28.98],
      [41.015, 28.985],
    ] as const) {
      await hand.getByLabel("Latitude").fill(String(lat));
      await hand.getByLabel("Longitude").fill(String(lng));
      await hand.getByRole("button", { name: "Report position" }).click();
      await page.getByRole("img", { name: `${lat}, ${lng}` }).waitFor();
    }
    await page.locator("polyline").waitFor({ state: "attached" });
    expect(await hand.getByRole("button", { name: "Offer to a courier" }).count()).toBe(0);
    await hand.getByRole("button", { name: "Delivered", exact: true }).click();
    await page.getByText("Nothing moves it any more.").waitFor();
    const happened = page.locator("ol.history li");
    await happened.filter({ hasText: "delivered" }).waitFor();
    expect(await happened.count()).toBe(9);
  });

  test("shows each attempt with request, response and next time, and sends one or all again", async () => {
    someone.answer(status(500));
    const id = await created();
    await someone.until(2);
    await signIn("#/webhooks");
    await choose();
    const event = page.locator("ul.sent > li").filter({ hasText: "delivery.created" });
    await event.filter({ hasText: "PENDING" }).filter({ hasText: "next try" }).waitFor();
    await event.getByRole("button", { name: "delivery.created" }).click();
    const first = event.locator("article").filter({ hasText: "Attempt 1" });
    await first.filter({ hasText: "500" }).filter({ hasText: "webhook-signature: v1," }).waitFor();
    await event.getByText("Request body").click();
    await event.locator("pre").filter({ hasText: id }).waitFor();

    someone.answer(status(204));
    await event.getByRole("button", { name: "Send this event again" }).click();
    await event.locator("article").filter({ hasText: "204" }).first().waitFor();
    await event.filter({ hasText: "DELIVERED" }).waitFor();

    const before = new Set(someone.arrivals.map(({ headers }) => headers["webhook-id"]));
    await page.getByRole("button", { name: "Send again", exact: true }).click();
    await said(/2 events are being sent again/);
    await someone.until(5);
    expect(new Set(someone.arrivals.map(({ headers }) => headers["webhook-id"]))).toEqual(before);
  });

  test("has an inbox that verifies what arrives, or fails on demand", async () => {
    await signIn("#/webhooks");
    await choose();
    await page.getByRole("button", { name: "Add inbox" }).click();
    await said("The inbox is subscribed");
    await page.getByLabel("Inbox that").selectOption("500");
    await page.getByRole("button", { name: "Add inbox" }).click();
    await page.locator("code.url", { hasText: "answer=500" }).waitFor();
    await created();
    const events = page.locator("ul.sent > li").filter({ hasText: "inbox.sandbox.test" });
    const good = events.filter({ hasText: "delivery.created" }).filter({ hasText: "DELIVERED" });
    await good.getByRole("button").click();
    await page.locator("article").filter({ hasText: "signature verified" }).waitFor();
    await events.filter({ hasText: "answer=500" }).filter({ hasText: "PENDING" }).first().waitFor();
  });

  test("makes integrators and pairing codes that work", async () => {
    await signIn("#/integrators");
    await page.getByLabel("Name").fill("Kasa 7");
    await page.getByRole("button", { name: "Add integrator" }).click();
    const shown = page.locator(".once code");
    // All that is there at once is asked for: it has to be there.
    await shown.nth(1).waitFor();
    const [client_id = "", client_secret] = await shown.allTextContents();
    const credentials = { grant_type: "client_credentials", client_id, client_secret };
    const { body: granted } = await supertest(server.url).post("/oauth/token").send(credentials).expect(200);
    await page.getByLabel("Courier company").fill("Şehir Kurye");
    await page.getByRole("button", { name: "Issue a code" }).click();
    const code = page.locator(".once").filter({ hasText: "Şehir Kurye" }).locator("code");
    await withToken(server.url, granted.access_token)
      .post("/v1/stores")
      .send(store(await code.textContent()))
      .expect(201);
    await page.locator("li.card").filter({ hasText: "Kasa 7" }).waitFor();
  });

  test("moves an integrator's clock and shows its limit", async () => {
    await signIn("#/integrators");
    const card = page.locator("li.card").filter({ hasText: someone.account.clientId });
    await card.getByLabel(/of 1200 requests used/).waitFor();
    await card.getByLabel("Let time pass").selectOption({ label: "2 hours" });
    await card.getByRole("button", { name: "Move the clock" }).click();
    await card.getByText("2 h").filter({ hasText: "ahead" }).waitFor();
  });

  test("gives an integrator simulated couriers and takes them away", async () => {
    await signIn("#/integrators");
    const card = page.locator("li.card").filter({ hasText: someone.account.clientId });
    const box = card.getByLabel("Simulated couriers");
    await box.check();
    await said("Simulated couriers take its deliveries");
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await said("Its couriers move only by hand");
  });

  test("takes everything for text", async () => {
    someone.answer((response) => response.writeHead(500, { "x-note": hostile }).end(hostile));
    const id = await created({ customer: { name: hostile, note: hostile }, notes: hostile });
    await someone.until(1);
    await signIn(`#/deliveries/${id}`);
    await page.locator("dd").filter({ hasText: hostile }).first().waitFor();
    await page.locator("ol.history a").first().click();
    await page.locator("ul.sent > li").first().getByRole("button").first().click();
    await page.locator("pre").filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("hacked");
  });

  test.each(["light", "dark"] as const)("is accessible: %s", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const id = await created({ notes: "Zili çalmayın" });
    for (const action of ["assigned", "picked_up"]) await someone.move(id, action);
    await page.goto(`${server.url}/console`);
    await page.getByLabel("Control token").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await signIn(`#/deliveries/${id}`);
    await page.getByRole("group", { name: "Move by hand" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await choose();
    await page.locator("ul.sent > li").first().getByRole("button").first().click();
    await page.locator("article").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Integrators" }).click();
    await page.getByRole("button", { name: "Issue a code" }).click();
    await page.locator(".once").waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test("fits a phone, without scrolling sideways", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const id = await created();
    await signIn(`#/deliveries/${id}`);
    await page.getByRole("group", { name: "Move by hand" }).waitFor();
    for (const hash of [`#/deliveries/${id}`, "#/deliveries", "#/webhooks", "#/integrators"]) {
      await page.goto(`${server.url}/console${hash}`);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    }
  });
});
