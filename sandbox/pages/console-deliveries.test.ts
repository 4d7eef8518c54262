import { expect, test } from "vitest";
import { describeConsole } from "./testing/console-page.ts";

describeConsole("the console's deliveries", (opened) => {
  test("shows deliveries as they change, by integrator, status and order number", async () => {
    const console = opened();
    const { page, someone } = console;
    await console.signIn();
    await console.choose();
    await page.getByText("Nothing matches the filters.").waitFor();
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
    await page.getByLabel("Search").fill(body.external_ref);
    await page.locator(`a[href="#/deliveries/${one}"]`).waitFor({ state: "detached" });
    await page.locator(`a[href="#/deliveries/${other}"]`).waitFor();
  });

  test("explains how a delivery without coordinates continues", async () => {
    const console = opened();
    const { page, someone } = console;
    const text = "Bahariye Caddesi 8";
    const id = await console.created({ dropoff: { text } });
    await console.signIn(`#/deliveries/${id}`);
    const hint = page.locator(".hint").filter({ hasText: "This delivery waits for coordinates." });
    const [, body = ""] = ((await hint.locator("pre").textContent()) ?? "").split("\n\n");
    await someone.account.api.patch(`/v1/deliveries/${id}`).send(JSON.parse(body)).type("json").expect(200);
    await page.locator(".detail-head").filter({ hasText: "QUEUED" }).waitFor();
    await hint.waitFor({ state: "detached" });
  });

  test.each([1280, 390])("doesn't overlap names on the map: %i px", async (width) => {
    const console = opened();
    const { page, someone } = console;
    await page.setViewportSize({ width, height: 800 });
    const id = await console.created();
    const { lat, lng } = (await someone.account.api.get("/v1/stores").expect(200)).body.items[0];
    await someone.move(id, "assigned", { location: { lat, lng } }).expect(204);
    await console.signIn(`#/deliveries/${id}`);
    await page.locator(".map-courier text").waitFor();
    const boxes = await page
      .locator(".map text")
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().toJSON()));
    expect(boxes).toHaveLength(4);
    const overlapping = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (other) =>
            one.left < other.right &&
            other.left < one.right &&
            one.top < other.bottom &&
            other.top < one.bottom,
        ),
    );
    expect(overlapping).toEqual([]);
  });

  test("shows dates if the clock was advanced", async () => {
    const console = opened();
    const { page, someone } = console;
    const id = await console.created();
    await someone.advance(60).expect(200);
    await someone.move(id, "assigned").expect(204);
    await console.signIn(`#/deliveries/${id}`);
    const date = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    await page.locator("ol.history li").filter({ hasText: "assigned" }).filter({ hasText: date }).waitFor();
    await page.locator(`a[href="#/deliveries/${id}"]`).filter({ hasText: date }).waitFor();
  });

  test("moves a courier by hand with the allowed actions, and draws its route", async () => {
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
    await hand.getByRole("button", { name: "Offer to a courier" }).waitFor({ state: "detached" });
    await hand.getByRole("button", { name: "Delivered", exact: true }).click();
    await page.getByText("This delivery has ended.").waitFor();
    const happened = page.locator("ol.history li");
    await happened.filter({ hasText: "delivered" }).waitFor();
    await expect.poll(() => happened.count()).toBe(9);
  });
});
