import { expect, test } from "vitest";
import { status } from "../../reference-server/testing/receiver.ts";
import { axeFindings, removeStatusMessages } from "./testing/browser.ts";
import { controlToken, describeConsole } from "./testing/console-page.ts";

const hostile = "<img src=x onerror=\"document.title='hacked'\">";

describeConsole("the console in a browser", (opened) => {
  test("requires the token, and keeps it out of URLs", async () => {
    const console = opened();
    const { page, faults } = console;
    await page.goto(`${console.url}/console`);
    await page.getByLabel("Control token").fill("something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This isn't the control token.").waitFor();
    await removeStatusMessages(faults, 401);
    await page.getByLabel("Control token").fill(controlToken);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    expect(page.url()).not.toContain(controlToken);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Control token").waitFor();
    await page.reload();
    await page.getByLabel("Control token").waitFor();
  });

  test("sends no other request with a token before the server has accepted it", async () => {
    const { page, url, faults } = opened();
    const answer = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.clock.install();
    await page.route("**/console/api/**", async (route) => {
      sent.push(new URL(route.request().url()).pathname);
      await answer.promise;
      await route.continue();
    });
    await page.goto(`${url}/console`);
    await page.getByLabel("Control token").fill("something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => sent).toHaveLength(1);
    // Refreshes are a second apart.
    await page.clock.runFor(5000);
    answer.resolve();
    await page.getByText("This isn't the control token.").waitFor();
    await removeStatusMessages(faults, 401);
    expect(sent).toEqual(["/console/api/overview"]);
  });

  test("signs in once by the terminal's link, and removes the key from the URL", async () => {
    const console = opened();
    const { page, faults } = console;
    const link = console.link();
    await page.goto(link);
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    await expect.poll(() => page.url()).toBe(`${console.url}/console`);
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByText("This link was already used").waitFor();
    expect(await other.evaluate("document.referrer")).toBe("");
    expect(faults).toEqual([]);
  });

  test("stands at / too", async () => {
    const console = opened();
    await console.page.goto(console.url);
    await console.page.getByLabel("Control token").waitFor();
  });

  test("escapes all texts", async () => {
    const console = opened();
    const { page, someone } = console;
    someone.answer((response) => response.writeHead(500, { "x-note": hostile }).end(hostile));
    const id = await console.created({ customer: { name: hostile, note: hostile }, notes: hostile });
    await someone.until(1);
    await console.signIn(`#/deliveries/${id}`);
    await page.locator("dd").filter({ hasText: hostile }).first().waitFor();
    await page.locator("ol.history a").first().click();
    await page.locator("pre").filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("hacked");
  });

  // The layout doesn't depend on the colours.
  test.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)("is accessible, without scrolling sideways: %s, %i px", async (colorScheme, width) => {
    const console = opened();
    const { page, someone } = console;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 740 });
    someone.answer(status(500));
    const waiting = await console.created({ dropoff: { text: "Bahariye Caddesi 8" } });
    const id = await console.created({ notes: "Zili çalmayın" });
    for (const action of ["assigned", "picked_up"]) await someone.move(id, action);
    await someone.account.api.get("/v1/deliveries/unknown").expect(404);
    await page.goto(`${console.url}/console`);
    await page.getByLabel("Control token").waitFor();
    const isFine = async () => {
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    };
    await isFine();
    await console.signIn(`#/deliveries/${id}`);
    await page.getByRole("group", { name: "Move by hand" }).waitFor();
    await isFine();
    await page.goto(`${console.url}/console#/deliveries/${waiting}`);
    await page.getByText("This delivery waits for coordinates.").waitFor();
    await isFine();
    for (const view of ["Requests", "Events"]) {
      await console.go(view);
      if (width < 800) await page.getByRole("button", { name: "Filters" }).click();
      await console.choose();
      await page.getByLabel("Time").selectOption("between");
      await page.getByRole("button", { name: "Clear filters" }).waitFor();
      await isFine();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.locator("ul.rows > li a").first().click();
      await page
        .getByText(/^Headers|^Attempts/)
        .first()
        .waitFor();
      await isFine();
      if (width < 800) {
        await page.getByRole("link", { name: /^← All/ }).click();
        await page.getByRole("button", { name: "Filters" }).click();
      }
    }
    await console.go("Webhooks");
    await page.locator("li.failing").waitFor();
    await page.getByText("Event types").click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.locator(".once").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await isFine();
    await console.go("Integrators");
    await page.getByRole("button", { name: "Issue a code" }).click();
    await page.locator(".once").waitFor();
    await isFine();
  });
});
