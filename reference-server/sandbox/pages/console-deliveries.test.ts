import { expect, test } from "vitest";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console's deliveries", (opened) => {
  test("shows deliveries as they change, by integrator, status and order number", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn();
    await console.choose();
    await page.getByText("No delivery fits the filter.").waitFor();
    const [one, other] = [await console.created(), await console.created()];
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
    const console = opened();
    const { page } = console;
    const id = await console.created();
    await console.signIn(`#/deliveries/${id}`);
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
});
