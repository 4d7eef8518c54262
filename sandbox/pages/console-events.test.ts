import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { type CommandLine, type Language, leftOut } from "../../examples/testing/languages.ts";
import { status } from "../../reference-server/testing/receiver.ts";
import { type ConsolePage, describeConsole } from "./testing/console-page.ts";

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A delivered event of a new delivery, copied as a curl line. */
async function copiedEvent(console: ConsolePage): Promise<string> {
  const { page, someone } = console;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await console.created({ notes: "Ayşe'nin kapısı" });
  await someone.until(2);
  await console.signIn("#/events");
  await console.choose();
  const rows = page.locator("ul.rows > li").filter({ hasText: "delivery.created" });
  await rows.filter({ hasText: "→ 204" }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await console.said("Copied as curl");
  return page.evaluate("navigator.clipboard.readText()");
}

describeConsole("the console's events", (opened) => {
  test("shows each attempt, the latest first, with request, response and next time, and sends it again", async () => {
    const console = opened();
    const { page, someone } = console;
    someone.answer(status(500));
    const id = await console.created();
    await someone.until(2);
    await someone.advance(6).expect(200);
    await someone.until(4);
    await console.signIn("#/events");
    await console.choose();
    const row = page.locator("ul.rows > li").filter({ hasText: "delivery.created" });
    await row.filter({ hasText: "PENDING" }).filter({ hasText: "2 failed · next try" }).click();
    await page.getByText(/Attempt 2 failed: it answered 500\. The next of 8 attempts is at/).waitFor();
    const attempts = page.locator("article");
    await attempts.nth(1).waitFor();
    expect(await attempts.locator("h4").allTextContents()).toEqual([
      expect.stringMatching(/^Attempt 2/),
      expect.stringMatching(/^Attempt 1/),
    ]);
    const first = attempts.last();
    await first.getByText("Request").click();
    await first.filter({ hasText: "500" }).filter({ hasText: "webhook-signature: v1," }).waitFor();
    await page
      .getByRole("region", { name: "delivery.created" })
      .locator("pre")
      .filter({ hasText: id })
      .waitFor();

    someone.answer(status(204));
    await page.getByRole("button", { name: "Send this event again" }).click();
    await attempts.first().filter({ hasText: "204" }).waitFor();
    await row.filter({ hasText: "→ 204" }).waitFor();
  });

  test("copies an event as a curl line, which the standardwebhooks package verifies", async () => {
    const console = opened();
    const { someone } = console;
    const line = await copiedEvent(console);
    expect(line).toContain(`curl -X POST '${someone.origin}${someone.path}' `);
    const headers = Object.fromEntries(
      [...line.matchAll(/-H '(webhook-[a-z]+): ([^']+)'/g)].map(([, name = "", value = ""]) => [name, value]),
    );
    const body = / --data-raw '(.*)'$/s.exec(line)?.[1]?.replaceAll("'\\''", "'") ?? "";
    expect(new Webhook(someone.secret).verify(body, headers)).toMatchObject({ type: "delivery.created" });
  });

  const { execPath } = process;
  const cli = path("../../bin/source.js");
  describe.each<[string, Language, CommandLine, RegExp, RegExp]>([
    [
      "npm run webhook",
      "TypeScript",
      [execPath, cli, "webhook", "verify"],
      /^valid: delivery\.created/,
      /^invalid/,
    ],
    ["Ruby", "Ruby", ["ruby", path("../../examples/events/verify.rb")], /^genuine$/m, /^not genuine$/m],
  ])("an event's curl line", (name, language, [program, ...args], genuine, forged) => {
    test.skipIf(leftOut(language) !== undefined)(`is verified by ${name}`, async () => {
      const console = opened();
      const line = await copiedEvent(console);
      const verify = (input: string) => {
        const env = { WEBHOOK_SECRET: console.someone.secret, PATH: process.env.PATH };
        const { status: code, stdout } = spawnSync(program, args, { input, env, encoding: "utf8" });
        return { code, stdout };
      };
      expect(verify(line)).toEqual({ code: 0, stdout: expect.stringMatching(genuine) });
      const changed = line.replace("delivery.created", "delivery.queued");
      expect(verify(changed)).toEqual({ code: 1, stdout: expect.stringMatching(forged) });
    });
  });

  test("explains a missing response in words", async () => {
    const console = opened();
    const { page, someone } = console;
    const origin = "https://127.0.0.1:1";
    await someone.account.control.post("/trusted-receivers").send({ origin }).expect(204);
    await someone.account.api
      .post("/v1/webhooks")
      .send({ url: `${origin}/hooks` })
      .expect(201);
    await console.created();
    await console.signIn("#/events");
    await console.choose();
    const row = page.locator("ul.rows > li").filter({ hasText: origin }).filter({ hasText: "PENDING" });
    await row.filter({ hasText: "nothing listens there" }).first().click();
    await page
      .locator("article")
      .filter({ hasText: "no answer" })
      .filter({ hasText: "ECONNREFUSED" })
      .waitFor();
  });

  test("are narrowed by state, kind, endpoint, delivery, time and text", async () => {
    const console = opened();
    const { page, someone } = console;
    const first = await console.created({ external_ref: "Kasa-1" });
    await console.created({ external_ref: "Kasa-2" });
    await someone.move(first, "assigned").expect(204);
    await someone.until(5);
    await console.signIn("#/events");
    await console.choose();
    const rows = page.locator("ul.rows > li");
    const shows = (count: number) => expect.poll(() => rows.count()).toBe(count);
    await page.getByRole("button", { name: "Delivered 5" }).click();
    await shows(5);
    await page.getByLabel("Kind").selectOption("delivery.assigned");
    await shows(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Sent to").selectOption({ index: 1 });
    await page.getByLabel("Search").fill("kasa-2");
    await shows(2);
    await page.getByLabel("Search").fill("");
    await shows(5);
    await rows.filter({ hasText: "Kasa-1" }).first().click();
    await page.getByRole("button", { name: "Only its events" }).click();
    await shows(3);
    await page.getByRole("button", { name: "Show all" }).click();
    await shows(5);
    await page.getByLabel("Time").selectOption("between");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00:00");
    await page.getByText("Nothing matches the filters.").waitFor();
    await page.getByLabel("Time").selectOption({ label: "Last hour" });
    await shows(5);
  });
});
