import { expect, test } from "vitest";
import { axeFindings } from "./testing/browser.ts";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console with few and with many events", (opened) => {
  test("without any event, each view says what makes the first", async () => {
    const console = opened();
    const { page } = console;
    await console.signIn("#/deliveries");
    for (const [view, words] of [
      ["Deliveries", "No delivery yet. Send the first one by POST /v1/deliveries."],
      ["Events", "Nothing was sent yet. Events go to the addresses that stand under Webhooks."],
      ["Webhooks", "0 delivered"],
      ["Integrators", "/ 1200"],
    ] as const) {
      await console.go(view);
      await page.getByText(words).first().waitFor();
      expect({ view, found: await axeFindings(page) }).toEqual({ view, found: [] });
    }
  });

  test("10,000 events are counted, paged and searched, a page at a time", async () => {
    const console = opened();
    const { page, someone } = console;
    const id = await console.created({ external_ref: "Kasa-1" });
    await someone.until(2);
    await console.signIn("#/events");
    await console.choose();
    await page.getByRole("button", { name: "Delivered 2" }).waitFor();
    await console.fillEvents(id, 10_000);
    const rows = page.locator("ul.rows > li");
    await page.getByText("1–50 of 10,000").waitFor();
    await page.getByRole("button", { name: "Delivered 10,000" }).waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("51–100 of 10,000, standing still").waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByLabel("Kind").selectOption("delivery.queued");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    await page.getByRole("heading", { name: "delivery.queued" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await console.go("Webhooks");
    await page.getByRole("link", { name: "10,000 delivered" }).click();
    await page.getByText("1–50 of 10,000").waitFor();
  });
});
