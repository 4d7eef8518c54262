import { expect, test } from "vitest";
import { status } from "../../testing/receiver.ts";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console's webhooks", (opened) => {
  test("shows each attempt with request, response and next time, and sends one or all again", async () => {
    const console = opened();
    const { page, someone } = console;
    someone.answer(status(500));
    const id = await console.created();
    await someone.until(2);
    await console.signIn("#/webhooks");
    await console.choose();
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
    await console.said(/2 events are being sent again/);
    await someone.until(5);
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
    await page.locator("code.url", { hasText: "answer=500" }).waitFor();
    await console.created();
    const events = page.locator("ul.sent > li").filter({ hasText: "inbox.sandbox.test" });
    const good = events.filter({ hasText: "delivery.created" }).filter({ hasText: "DELIVERED" });
    await good.getByRole("button").click();
    await page.locator("article").filter({ hasText: "signature verified" }).waitFor();
    await events.filter({ hasText: "answer=500" }).filter({ hasText: "PENDING" }).first().waitFor();
  });
});
