import type { Route } from "playwright-core";
import supertest from "supertest";
import { expect, test } from "vitest";
import { withToken } from "../../reference-server/testing/accounts.ts";
import { axeFindings } from "./testing/browser.ts";
import { describeConsole } from "./testing/console-page.ts";

const hostile = "<img src=x onerror=\"document.title='hacked'\">";

describeConsole("the console's requests", (opened) => {
  test("shows requests and responses, also refused ones, with advice", async () => {
    const console = opened();
    const { page, someone } = console;
    const id = await console.created({ notes: "Zili çalmayın" });
    await someone.account.api.get("/v1/deliveries/unknown").expect(404);
    await console.signIn("#/requests");
    await console.choose();
    const rows = page.locator("ul.rows > li");
    await rows.filter({ hasText: "404" }).filter({ hasText: "BULUNAMADI" }).click();
    await page.getByText("There is no such record, or it is another integrator's.").waitFor();
    await rows.filter({ hasText: "/v1/deliveries" }).filter({ hasText: "201" }).click();
    const detail = page.getByRole("region", { name: "POST /v1/deliveries" });
    await detail.locator("pre").filter({ hasText: '"notes": "Zili çalmayın"' }).first().waitFor();
    await detail
      .getByText(/^Headers/)
      .first()
      .click();
    await detail.getByText("authorization: Bearer [redacted]").waitFor();
    expect(await page.content()).not.toContain(someone.account.token);
    await detail.getByRole("link", { name: id }).click();
    await page.getByRole("link", { name: "Requests of this delivery" }).click();
    await page.getByText("Only delivery").waitFor();
    await expect.poll(() => rows.count()).toBe(1);
  });

  test("are copied as curl lines, which a shell can run with the token", async () => {
    const console = opened();
    const { page, someone } = console;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await console.created({ notes: "it's" });
    await console.signIn("#/requests");
    await console.choose();
    await page
      .locator("ul.rows > li")
      .filter({ hasText: "/v1/deliveries" })
      .filter({ hasText: "201" })
      .first()
      .click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await console.said("Copied as curl");
    const line: string = await page.evaluate("navigator.clipboard.readText()");
    expect(line).toContain('-H "authorization: Bearer $TOKEN"');
    expect(line).not.toContain(someone.account.token);
    expect(line).toMatch(/^curl -X POST 'http:\S+\/v1\/deliveries' .*-H 'idempotency-key: .*it'\\''s/s);
  });

  test("fail for some minutes by the Faults switch, which shows until when", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn("#/requests");
    await page.getByText("Faults: none").click();
    await page.getByLabel("Delay, ms").fill("0");
    await page.getByLabel("Errors, %").fill("100");
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByText(/^Faults: 100% errors, until .*\d\d:\d\d/).waitFor();
    await someone.account.api.get("/v1/stores").expect(500);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "End now" }).click();
    await page.getByText("Faults: none").waitFor();
    await someone.account.api.get("/v1/stores").expect(200);
  });

  test("are narrowed by status, method, integrator, time and text", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.created({ external_ref: "Kasa-17" });
    await someone.account.api.get("/v1/deliveries/unknown").expect(404);
    await supertest(console.url).get("/v1/stores").expect(401);
    await console.signIn("#/requests");
    const rows = page.locator("ul.rows > li");
    await rows.filter({ hasText: "KIMLIK_YOK" }).filter({ hasText: "unknown client" }).first().waitFor();
    await console.choose();
    const shows = (count: number) => expect.poll(() => rows.count()).toBe(count);
    // The requests for a token, a store, a webhook and a delivery, and the request that got 404.
    await shows(5);
    await page.getByRole("button", { name: "4xx 1" }).click();
    await shows(1);
    await page.getByRole("button", { name: "All 5" }).click();
    await page.getByLabel("Method").selectOption("GET");
    await shows(1);
    await page.getByLabel("Method").selectOption("");
    await page.getByLabel("Search").fill("kasa-17");
    await shows(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Time").selectOption("between");
    await page.getByLabel("From", { exact: true }).fill("2099-01-01T00:00:00");
    await page.getByText("Nothing matches the filters.").waitFor();
  });

  test("escapes all texts, and shows no secret", async () => {
    const console = opened();
    const { page, someone } = console;
    const grant = { grant_type: hostile, client_id: someone.account.clientId, client_secret: "mine-alone" };
    await supertest(console.url).post("/oauth/token").send(grant);
    await withToken(console.url, someone.account.token)
      .get(`/v1/stores/${encodeURIComponent(hostile)}`)
      .set("x-note", hostile)
      .expect(404);
    await console.signIn("#/requests");
    await console.choose();
    await page.locator("ul.rows > li").filter({ hasText: "/v1/stores/" }).first().click();
    await page
      .getByText(/^Headers/)
      .first()
      .click();
    await page.getByText(`x-note: ${hostile}`).waitFor();
    await page.locator("ul.rows > li").filter({ hasText: "/oauth/token" }).first().click();
    await page.locator("pre").filter({ hasText: "<img src=x" }).filter({ hasText: "[redacted]" }).waitFor();
    expect(await page.content()).not.toContain("mine-alone");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("hacked");
  });

  test("more than fit on a page are on the next ones, as are deliveries and events", async () => {
    const console = opened();
    const { page } = console;
    for (let count = 0; count < 51; count++) await console.created();
    await console.signIn("#/requests");
    const rows = page.locator("ul.rows > li");
    for (const [view, total] of [
      ["Requests", 54],
      ["Deliveries", 51],
      ["Events", 102],
    ] as const) {
      await console.go(view);
      await console.choose();
      const pages = page.getByRole("navigation", { name: "Pages" });
      await pages.getByText(`1–50 of ${total}`).waitFor();
      const first = await rows.first().textContent();
      await pages.getByRole("button", { name: "Older" }).click();
      await pages.getByText(`51–${Math.min(100, total)} of ${total}`).waitFor();
      await expect.poll(() => rows.count()).toBe(Math.min(50, total - 50));
      await pages.getByRole("button", { name: "Newer" }).click();
      await pages.getByText(`1–50 of ${total}`).waitFor();
      await expect.poll(() => rows.first().textContent()).toBe(first);
    }
  });

  test("a next page that arrives more slowly than the poll interval is still shown", async () => {
    const console = opened();
    const { page } = console;
    for (let count = 0; count < 51; count++) await console.created();
    await console.signIn("#/deliveries");
    await console.choose();
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByText("1–50 of 51").waitFor();
    const isNextPage = /deliveries\?.*offset=50/;
    const isOverview = /console\/api\/overview/;
    // The page's response is held until the next poll, and the poll's response until the page has arrived.
    const came = page.waitForResponse(isNextPage);
    const askedAnew = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      await page.route(isOverview, async (later) => {
        askedAnew.resolve();
        await came;
        await later.continue();
      });
      await askedAnew.promise;
      await route.continue();
    };
    await page.route(isNextPage, hold, { times: 1 });
    await pages.getByRole("button", { name: "Older" }).click();
    await pages.getByText("51–51 of 51").waitFor();
    await expect.poll(() => page.locator("ul.rows > li").count()).toBe(1);
    // The page may close during a pending poll.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
