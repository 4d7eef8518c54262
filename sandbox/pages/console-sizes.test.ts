import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFindings } from "./testing/browser.ts";
import { describeConsole } from "./testing/console-page.ts";

const appearances = [1440, 390].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** axe's findings and sideways scrolling of the current view, at both widths, light and dark. */
async function faultsOf(page: Page): Promise<object[]> {
  const found: object[] = [];
  for (const { width, colorScheme } of appearances) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const scrolled = Number(await page.evaluate("document.documentElement.scrollWidth"));
    const findings = await axeFindings(page);
    if (findings.length > 0 || scrolled > width) found.push({ width, colorScheme, scrolled, findings });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

describeConsole("the console with few and with many events", (opened) => {
  test("each empty view says how to create the first entry", async () => {
    const console = opened();
    const { page } = console;
    await console.signIn("#/deliveries");
    for (const [view, words] of [
      ["Deliveries", "No deliveries yet. Create one with POST /v1/deliveries."],
      ["Events", "No events yet. They are sent to the endpoints listed under Webhooks."],
      ["Webhooks", "0 delivered"],
      ["Integrators", "/ 1200"],
    ] as const) {
      await console.go(view);
      await page.getByText(words).first().waitFor();
      expect({ view, found: await faultsOf(page) }).toEqual({ view, found: [] });
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
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("51–100 of 10,000, paused").waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByLabel("Kind").selectOption("delivery.queued");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    await page.getByRole("heading", { name: "delivery.queued" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await console.go("Webhooks");
    await page.getByRole("link", { name: "10,000 delivered" }).click();
    await page.getByText("1–50 of 10,000").waitFor();
  });
});
