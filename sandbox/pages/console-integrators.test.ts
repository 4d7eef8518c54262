import supertest from "supertest";
import { expect, test } from "vitest";
import { withToken } from "../../reference-server/testing/accounts.ts";
import { store } from "../../reference-server/testing/orders.ts";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console's integrators", (opened) => {
  test("makes integrators and pairing codes that work", async () => {
    const console = opened();
    const { page } = console;
    await console.signIn("#/integrators");
    await page.getByLabel("Name").fill("Kasa 7");
    await page.getByRole("button", { name: "Add integrator" }).click();
    const shown = page.locator(".once code");
    // No wait: these elements must already exist.
    await shown.nth(1).waitFor();
    const [client_id = "", client_secret] = await shown.allTextContents();
    const credentials = { grant_type: "client_credentials", client_id, client_secret };
    const { body: granted } = await supertest(console.url).post("/oauth/token").send(credentials).expect(200);
    await page.getByLabel("Courier company").fill("Şehir Kurye");
    await page.getByRole("button", { name: "Issue a code" }).click();
    const code = page.locator(".once").filter({ hasText: "Şehir Kurye" }).locator("code");
    await withToken(console.url, granted.access_token)
      .post("/v1/stores")
      .send(store(await code.textContent()))
      .expect(201);
    await page.locator("li.card").filter({ hasText: "Kasa 7" }).waitFor();
  });

  test("moves an integrator's clock and shows its limit", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn("#/integrators");
    const card = page.locator("li.card").filter({ hasText: someone.account.clientId });
    await card.getByLabel(/of 1200 requests used/).waitFor();
    await card.getByLabel("Advance by").selectOption({ label: "2 hours" });
    await card.getByRole("button", { name: "Advance the clock" }).click();
    await card.getByText("2 h").filter({ hasText: "ahead" }).waitFor();
  });

  test("switches an integrator's simulated couriers on and off", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn("#/integrators");
    const card = page.locator("li.card").filter({ hasText: someone.account.clientId });
    const box = card.getByLabel("Simulated couriers");
    await box.check();
    await console.said("Simulated couriers accept its deliveries");
    await expect.poll(() => box.isChecked()).toBe(true);
    await box.uncheck();
    await console.said("Its couriers move only by hand");
  });
});
