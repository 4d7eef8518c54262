import { expect, test } from "vitest";
import { status } from "../../reference-server/testing/receiver.ts";
import { removeStatusMessages } from "./testing/browser.ts";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console's webhooks", (opened) => {
  test("adds an endpoint, tests it, rotates its secret and deletes it", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn("#/webhooks");
    await console.choose();
    const form = page.getByRole("region", { name: "Add an endpoint" });
    await form.getByLabel("URL").fill("http://localhost:3000/hooks");
    await form.getByRole("button", { name: "Add endpoint" }).click();
    await console.said(/Invalid: url/);
    await removeStatusMessages(console.faults, 400);
    // A message stays until the next click.
    await page.getByRole("heading", { name: "Add an endpoint" }).click();
    await page.getByRole("status").waitFor({ state: "detached" });
    const url = `${someone.origin}/by-hand`;
    await form.getByLabel("URL").fill(url);
    await form.getByLabel("Description").fill("Kasa 7");
    await form.getByText("Event types").click();
    await form.getByLabel("delivery.courier_location").check();
    await form.getByRole("button", { name: "Add endpoint" }).click();
    const card = page.locator("li.endpoint").filter({ hasText: url });
    await card.filter({ hasText: "Kasa 7 · 15 kinds" }).waitFor();
    const secret = await card.locator(".once code").textContent();
    expect(secret).toMatch(/^whsec_/);
    await card.getByRole("button", { name: "Send test event" }).click();
    await console.said("The test event is being sent");
    await card.filter({ hasText: "1 delivered" }).waitFor();
    await card.getByRole("button", { name: "Rotate secret" }).click();
    await console.said("The secret is rotated");
    await card
      .locator(".once code")
      .filter({ hasNotText: secret ?? "" })
      .waitFor();
    await card.getByRole("button", { name: "Delete" }).click();
    await card.getByRole("button", { name: "Keep it" }).click();
    await card.getByRole("button", { name: "Delete" }).click();
    await card.getByRole("button", { name: "Really delete" }).click();
    await card.waitFor({ state: "detached" });
  });

  test("a button pressed while the endpoints above it appear is clicked", async () => {
    const console = opened();
    const { page } = console;
    const isList = /console\/api\/integrators\/[^/]+\/webhooks$/;
    const pressed = Promise.withResolvers<void>();
    await page.route(isList, async (route) => {
      if (route.request().method() === "GET") await pressed.promise;
      await route.continue();
    });
    await console.signIn("#/webhooks");
    await page.getByText("Loading…").waitFor();
    await console.choose();
    const form = page.getByRole("region", { name: "Add an endpoint" });
    await form.getByLabel("URL").fill("http://localhost:3000/hooks");
    const came = page.waitForResponse(isList);
    await form.getByRole("button", { name: "Add endpoint" }).hover();
    await page.mouse.down();
    pressed.resolve();
    await (await came).finished();
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");
    await page.mouse.up();
    await console.said(/Invalid: url/);
    await page.locator("li.endpoint").waitFor();
    await removeStatusMessages(console.faults, 400);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("shows since when and why an endpoint fails, its next attempt and its closing", async () => {
    const console = opened();
    const { page, someone } = console;
    someone.answer(status(503));
    await console.created();
    await someone.until(2);
    await console.signIn("#/webhooks");
    await console.choose();
    const card = page.locator("li.endpoint.failing");
    await card.filter({ hasText: "FAILING" }).filter({ hasText: "it answered 503" }).waitFor();
    await card.filter({ hasText: /Next try at .*\. It is closed on .* if it keeps failing/ }).waitFor();
    await card.getByRole("link", { name: "2 waiting" }).click();
    await page.locator("ul.rows > li").filter({ hasText: "PENDING" }).nth(1).waitFor();
    someone.answer(status(410));
    await someone.advance(6).expect(200);
    await console.go("Webhooks");
    await card.filter({ hasText: "CLOSED" }).waitFor();
  });

  test("sends all events since a given time again", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.created();
    await someone.until(2);
    await console.signIn("#/webhooks");
    await console.choose();
    const before = new Set(someone.arrivals.map(({ headers }) => headers["webhook-id"]));
    await page.getByText("Send again…").click();
    await page.getByRole("button", { name: "Send again", exact: true }).click();
    await console.said(/2 events are being sent again/);
    await someone.until(4);
    expect(new Set(someone.arrivals.map(({ headers }) => headers["webhook-id"]))).toEqual(before);
  });

  test("has an inbox that verifies what arrives, or fails on demand", async () => {
    const console = opened();
    const { page } = console;
    await console.signIn("#/webhooks");
    await console.choose();
    await page.getByRole("button", { name: "Add inbox" }).click();
    await console.said("The inbox is subscribed");
    await page.getByLabel("Inbox that").selectOption("500");
    await page.getByRole("button", { name: "Add inbox" }).click();
    await page.locator("h2.url", { hasText: "answer=500" }).waitFor();
    await console.created();
    await console.go("Events");
    const events = page.locator("ul.rows > li").filter({ hasText: "inbox.sandbox.test" });
    await events.filter({ hasText: "delivery.created" }).filter({ hasText: "→ 200" }).click();
    await page.locator("article").filter({ hasText: "signature verified" }).waitFor();
    await events.filter({ hasText: "answer=500" }).filter({ hasText: "PENDING" }).first().waitFor();
  });
});
