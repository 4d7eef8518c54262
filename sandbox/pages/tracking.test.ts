import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  actAsCourier,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import { withSandbox } from "../sandbox.ts";
import {
  axeFindings,
  isBrowserMissing,
  openBrowser,
  openPage,
  removeStatusMessages,
} from "./testing/browser.ts";

describe.skipIf(isBrowserMissing)("the customer's tracking page", () => {
  let server: RunningServer;
  let browser: Browser;
  let account: Account;
  let page: Page;
  let faults: string[];
  let count = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startReferenceServer({ mutate: withSandbox(null) }),
      openBrowser(),
    ]);
    account = await openAccount(server);
    await linkStore(account);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    ({ page, faults } = await openPage(browser, server.url, { viewport: { width: 390, height: 800 } }));
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  async function opened(more: object = {}): Promise<{ id: string; url: string }> {
    count += 1;
    const { body } = await createDelivery(account, `tracking-${count}`, more).expect(201);
    return { id: body.id, url: body.tracking_url };
  }
  const move = (id: string, action: string, more?: object) =>
    actAsCourier(account, id, action, more).expect(204);
  const heading = (name: string) => page.getByRole("heading", { name }).waitFor();
  const courier = { name: "Elif Kaya", phone: "+905551112233", plate: "34 AB 123" };
  const location = { lat: 41.015, lng: 28.985 };

  test("shows the order's state, and the courier on a map only while it has the package", async () => {
    const { id, url } = await opened();
    await page.goto(url);
    await heading("Kurye aranıyor");
    await move(id, "assigned", { courier, location });
    await page.reload();
    await heading("Kurye restorana gidiyor");
    await page.getByText("Kuryeniz Elif").waitFor();
    await page.getByRole("img").waitFor({ state: "detached" });
    await move(id, "picked_up", { location });
    await page.reload();
    await heading("Siparişiniz kuryede");
    await page.getByRole("img", { name: "Elif" }).waitFor();
    await page.getByText("Tahmini varış").waitFor();
    await page.locator('[aria-current="step"]', { hasText: "Paket kuryede" }).waitFor();
    await move(id, "en_route");
    await move(id, "delivered");
    await page.reload();
    await heading("Siparişiniz teslim edildi");
    await page.getByRole("img").waitFor({ state: "detached" });
  });

  test("follows by itself", async () => {
    const { id, url } = await opened();
    await page.goto(url);
    await heading("Kurye aranıyor");
    await move(id, "assigned");
    await heading("Kurye restorana gidiyor");
  });

  test("contains no personal data, and escapes all texts", async () => {
    const note = "<img src=x onerror=alert(1)>";
    const { id, url } = await opened({
      notes: note,
      customer: { name: `Ayşe ${note}`, phone: "0532 555 01 23" },
    });
    await move(id, "assigned", { courier: { ...courier, name: note.replaceAll(" ", "/") } });
    await page.goto(url);
    await heading("Kurye restorana gidiyor");
    const html = await page.content();
    for (const secret of ["Ayşe", "5550123", "Divanyolu", "1112233", courier.plate])
      expect(html).not.toContain(secret);
    expect(await page.locator("img").count()).toBe(0);
    await page.getByText("<img/src=x/onerror=alert(1)>").first().waitFor();
  });

  test("shows the result of an order that doesn't arrive", async () => {
    const { id, url } = await opened();
    await account.api.post(`/v1/deliveries/${id}/cancel`).send({ reason: "Vazgeçildi" });
    await page.goto(url);
    await heading("Siparişiniz iptal edildi");
    const returning = await opened();
    for (const action of ["assigned", "picked_up", "en_route", "returning"]) await move(returning.id, action);
    await page.goto(returning.url);
    await heading("Siparişiniz restorana geri dönüyor");
  });

  test("says that a key is unknown or has expired", async () => {
    await page.goto(`${server.url}/t/nobodyknowsthiskey`);
    await heading("Bu takip bağlantısı bulunamadı");
    const { id, url } = await opened();
    await account.api.post(`/v1/deliveries/${id}/cancel`).send({ reason: "Vazgeçildi" });
    await advanceClock(account, 7201);
    await page.goto(url);
    await heading("Bu takip bağlantısının süresi doldu");
    await removeStatusMessages(faults, 404, 410);
    // The token has expired too.
    account = await openAccount(server);
    await linkStore(account);
  });

  test.each(["light", "dark"] as const)("is accessible: %s", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const { id, url } = await opened();
    await move(id, "assigned", { courier, location });
    await move(id, "picked_up", { location });
    await page.goto(url);
    await page.getByRole("img", { name: "Elif" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });
});
