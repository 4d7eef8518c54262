import { expect, test } from "vitest";
import { axeFindings } from "./testing/browser.ts";
import { controlToken, describeConsole } from "./testing/console-page.ts";

const hostile = "<img src=x onerror=\"document.title='hacked'\">";

describeConsole("the console in a browser", (opened) => {
  test("lets nobody in without the token, and keeps it out of addresses", async () => {
    const console = opened();
    const { page, faults } = console;
    await page.goto(`${console.url}/console`);
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

  test("takes everything for text", async () => {
    const console = opened();
    const { page, someone } = console;
    someone.answer((response) => response.writeHead(500, { "x-note": hostile }).end(hostile));
    const id = await console.created({ customer: { name: hostile, note: hostile }, notes: hostile });
    await someone.until(1);
    await console.signIn(`#/deliveries/${id}`);
    await page.locator("dd").filter({ hasText: hostile }).first().waitFor();
    await page.locator("ol.history a").first().click();
    await page.locator("ul.sent > li").first().getByRole("button").first().click();
    await page.locator("pre").filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("hacked");
  });

  test.each(["light", "dark"] as const)("is accessible: %s", async (colorScheme) => {
    const console = opened();
    const { page, someone } = console;
    await page.emulateMedia({ colorScheme });
    const id = await console.created({ notes: "Zili çalmayın" });
    for (const action of ["assigned", "picked_up"]) await someone.move(id, action);
    await page.goto(`${console.url}/console`);
    await page.getByLabel("Control token").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await console.signIn(`#/deliveries/${id}`);
    await page.getByRole("group", { name: "Move by hand" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await console.choose();
    await page.locator("ul.sent > li").first().getByRole("button").first().click();
    await page.locator("article").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Integrators" }).click();
    await page.getByRole("button", { name: "Issue a code" }).click();
    await page.locator(".once").waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test("fits a phone, without scrolling sideways", async () => {
    const console = opened();
    const { page } = console;
    await page.setViewportSize({ width: 360, height: 740 });
    const id = await console.created();
    await console.signIn(`#/deliveries/${id}`);
    await page.getByRole("group", { name: "Move by hand" }).waitFor();
    for (const hash of [`#/deliveries/${id}`, "#/deliveries", "#/webhooks", "#/integrators"]) {
      await page.goto(`${console.url}/console${hash}`);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    }
  });
});
