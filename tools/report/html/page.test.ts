import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isBrowserMissing, openBrowser } from "../../../sandbox/pages/testing/browser.ts";
import { blockedBy, type Outcome } from "../../../suites/core/grading/outcome.ts";
import { compareRuns } from "../../comparison/compare.ts";
import { renderHar } from "../formats/har.ts";
import type { Report } from "../model.ts";
import {
  ANOTHER_FAILED,
  anExchange,
  aReport,
  contextWith,
  FAILED,
  failures,
  HOSTILE,
  hostileReport,
  SCHEDULE,
  unverified,
  WARNED,
} from "../testing/sample-report.ts";
import { renderHtml } from "./page.ts";

const folder = mkdtempSync(join(tmpdir(), "report-"));

function onDisk(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}

const named = [FAILED, ANOTHER_FAILED, SCHEDULE, WARNED];
/** A report with some of the checks, because a browser takes seconds for a page with all of them. */
const some = (report: Report): Report => ({
  ...report,
  checks: report.checks.filter(
    ({ id, status }, index) => index < 9 || status !== "passed" || named.includes(id),
  ),
});

const passing = some(aReport());
const failing = some(aReport({ outcomes: failures }));
const incomplete = some(
  aReport({ outcomes: { [FAILED]: unverified, [WARNED]: unverified }, complete: false }),
);
const hostile = some(hostileReport());
/** A failure at one of several cases, and of one of several clauses. */
const PLACED = "content-type.creation";
const placed = some(
  aReport({
    outcomes: {
      [PLACED]: {
        status: "failed",
        duration_ms: 3,
        requests: 3,
        message: "POST /v1/deliveries answered 201 where 415 was expected",
        at: "form instead of JSON",
        cases: { failed: ["form instead of JSON"], held: ["JSON"], not_reached: [] },
        clause_findings: { failed: ["GEN-3"], held: ["GEN-2"], not_reached: ["GEN-4", "GEN-6"] },
        exchanges: [anExchange()],
      },
    },
  }),
);
const addressOf = (report: Report, name: string, repeatCommand?: string) =>
  onDisk(`${name}.html`, renderHtml(report, contextWith(repeatCommand)));
const addresses = {
  passing: addressOf(passing, "passing"),
  failing: addressOf(failing, "failing"),
  incomplete: addressOf(incomplete, "incomplete"),
  placed: addressOf(placed, "placed"),
  hostile: addressOf(hostile, "hostile", `npm run conform -- --url ${HOSTILE}`),
};

/** Reports with this many failures: half of them have the same message, and the first blocks some checks. */
const many = [1, 20, 230].map((count): readonly [number, string] => {
  const ids = aReport()
    .checks.filter(({ severity }) => severity === "MUST")
    .map(({ id }) => id);
  const [first = "", ...others] = ids.slice(0, count);
  const ended = others.map((id, index): readonly [string, Outcome] => {
    if (index % 4 === 0) return [id, blockedBy(first)];
    const message =
      index % 2 === 0
        ? "POST /v1/deliveries answered 201 where 400 was expected"
        : `fault ${index}: expected 4, got 3`;
    return [id, { status: "failed", duration_ms: 3, requests: 2, message, exchanges: [anExchange()] }];
  });
  const message = "POST /v1/deliveries answered 404 where 201 was expected";
  const outcomes = {
    ...Object.fromEntries(ended),
    [first]: { status: "failed", duration_ms: 1, requests: 1, message } as const,
  };
  return [count, addressOf(aReport({ outcomes }), `many-${count}`)];
});

describe.skipIf(isBrowserMissing)("report.html in a browser", () => {
  let browser: Browser;
  const opened: Page[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  afterAll(() => browser.close());

  /** The page, with its console errors and requests. */
  async function open(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    opened.push(page);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(address);
    return { page, complaints, requests };
  }

  const card = (page: Page, id: string) => page.locator(`details.check[id="${id}"]`);
  const shown = (page: Page) => page.locator("details.check:visible");
  const field = (page: Page, label: string) => page.getByRole("search").getByLabel(label);

  /** Expects that axe finds no problem in these parts, in light and in dark colours. */
  async function expectAccessible(page: Page, include: readonly string[] = ["html"]): Promise<void> {
    await page.evaluate(axe.source);
    for (const [colorScheme, rules] of [
      ["light", {}],
      // The other rules' results don't depend on colours.
      ["dark", { runOnly: ["cat.color"] }],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const args = `${JSON.stringify({ include })}, ${JSON.stringify({ resultTypes: ["violations"], ...rules })}`;
      const found: { violations: { id: string; nodes: { html: string }[] }[] } = await page.evaluate(
        `axe.run(${args}).then(({ violations }) => ({ violations }))`,
      );
      expect(
        found.violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
        colorScheme,
      ).toEqual([]);
    }
  }

  test.each(Object.entries(addresses))("makes no requests, and logs no errors: %s", async (_, address) => {
    const { page, complaints, requests } = await open(address);
    await page.getByRole("button", { name: "Unfold" }).click();
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([address]);
  });

  test("a target's text is escaped", async () => {
    const { page } = await open(addresses.hostile);
    await page.getByRole("button", { name: "Unfold" }).click();
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
    expect(await page.locator("img, iframe, object, embed").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("[onerror], [onmouseover], [onload], a[href^='javascript']").count()).toBe(0);
    const visible = "</script></style></pre><img src=x";
    await card(page, ANOTHER_FAILED).getByText(visible).first().waitFor({ state: "visible" });
    expect(await card(page, FAILED).locator(".message").textContent()).toContain(visible);
  });

  test("a failure names its case, and the check's failed, passed and unreached clauses", async () => {
    const { page } = await open(addresses.placed);
    const found = card(page, PLACED);
    expect(await found.locator(".at").textContent()).toBe("Failed at form instead of JSON");
    const clauses = await found.locator(".clauses li").allInnerTexts();
    expect(clauses.map((text) => text.split(" MUST,")[0])).toEqual([
      "✓ passed until the check ended GEN-2",
      "✗ failed GEN-3",
      "– not reached GEN-4",
      "– not reached GEN-6",
    ]);
  });

  test("a failed clause is visible in the table of clauses, with its case and its checks", async () => {
    const { page } = await open(addresses.placed);
    const cells = page.locator("#clause-GEN-3 td");
    await cells.first().waitFor({ state: "visible" });
    const [level, cases, checks] = await cells.allInnerTexts();
    const text = contextWith().clauses.find(({ id }) => id === "GEN-3")?.text;
    expect([level, cases]).toEqual(["MUST", `${text}\n\nform instead of JSON`]);
    expect(checks).toContain(PLACED);
    expect(await page.locator("#clause-GEN-2 td").first().isVisible()).toBe(false);
  });

  test.each(Object.entries(addresses))(
    "has no accessibility problem that axe finds: %s",
    async (_, address) => {
      const { page } = await open(address);
      const parts = [
        "details.group",
        ...[FAILED, SCHEDULE].flatMap((id) => [`[id="${id}"]`, `[id="${id}"] details`]),
      ];
      await page.evaluate(
        `for (const part of document.querySelectorAll(${JSON.stringify(parts.join(", "))})) part.open = true`,
      );
      await expectAccessible(page);
    },
  );

  test("shows verdict, levels and each failure, and collapses passed checks", async () => {
    const { page } = await open(addresses.failing);
    await page.getByText("NONCONFORMANT").first().waitFor({ state: "visible" });
    expect(await shown(page).count()).toBe(3);
    const line = card(page, FAILED).locator("summary").first();
    expect(await line.textContent()).toContain(failures[FAILED]?.message);
    const title = failing.checks.find(({ id }) => id === FAILED)?.title;
    expect(await line.textContent()).toContain(title);
    expect(await card(page, FAILED).locator(".clauses").isVisible()).toBe(false);
    await line.click();
    await card(page, FAILED).locator(".clauses").waitFor();
    expect(await card(page, FAILED).locator(".message").count()).toBe(1);
    expect(await card(page, FAILED).locator("del").allTextContents()).toEqual(["200", "a"]);
    expect(await card(page, FAILED).locator("ins").allTextContents()).toEqual(["201", "b"]);
  });

  test.each(many)(
    "shows the most important cause on the first screen: %s failures",
    async (count, address) => {
      const { page } = await open(address);
      const [, failures, heldUp = "0"] =
        /(\d+) failures?(?:.* blocks? (\d+) checks?)?$/.exec(
          (await page.locator(".headline").textContent()) ?? "",
        ) ?? [];
      expect(Number(failures) + Number(heldUp)).toBe(count);
      const viewports = [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ];
      for (const viewport of viewports) {
        await page.setViewportSize(viewport);
        const place = await page.locator(".causes a").first().boundingBox();
        expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
          viewport.width,
        );
      }
      // Other tests examine whole pages, with fewer checks. axe reads all elements, even for two parts.
      await page.evaluate(
        "for (const part of document.querySelectorAll('details.check, .clause-results')) part.remove()",
      );
      for (const viewport of viewports) {
        await page.setViewportSize(viewport);
        await expectAccessible(page, ["header", ".causes"]);
      }
    },
  );

  test("a sidebar lists the failures, with links to each", async () => {
    const { page } = await open(many[2]?.[1] ?? "", { viewport: { width: 1440, height: 900 } });
    const outline = page.getByRole("navigation", { name: "Failures" });
    await page.locator("details.check.failed").nth(40).scrollIntoViewIfNeeded();
    await expect.poll(async () => (await outline.boundingBox())?.y).toBeLessThan(100);
    const link = outline.getByRole("link").nth(60);
    const id = (await link.textContent()) ?? "";
    await link.click();
    await card(page, id).locator(".clauses").waitFor({ state: "visible" });
  });

  test("filters by status, level, part and text, and keeps the filter in the URL", async () => {
    const { page } = await open(addresses.failing);
    await field(page, "Status").selectOption("failed");
    await expect.poll(() => shown(page).count()).toBe(2);
    await field(page, "Level").selectOption("time");
    await expect.poll(() => shown(page).count()).toBe(1);
    await page.getByRole("search").getByText("1 of ").waitFor();
    await expect.poll(() => page.url()).toMatch(/#status=failed&level=time$/);
    const again = await open(page.url());
    await expect.poll(() => shown(again.page).count()).toBe(1);
    await again.page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => again.page.url()).not.toContain("#");
    await field(again.page, "Text").fill("same-key-same-body");
    await expect.poll(() => shown(again.page).count()).toBe(1);
    await field(again.page, "Text").fill("nothing like that");
    await again.page.getByText("No check matches").waitFor({ state: "visible" });
  });

  test("levels, date, duration and counts are at the top, and a tab shows the checks that it counts", async () => {
    const { page } = await open(addresses.failing);
    const levels = await page.getByRole("list", { name: "Levels" }).getByRole("listitem").allInnerTexts();
    expect(levels).toEqual([
      "api NONCONFORMANT",
      "events CONFORMANT",
      "courier CONFORMANT",
      "time NONCONFORMANT",
    ]);
    await page.getByText("2026-11-21 10:00 UTC, took 5.7 s, 6555 requests").waitFor({ state: "visible" });
    const tabs = page.getByRole("navigation", { name: "Results" }).getByRole("link");
    expect((await tabs.allInnerTexts()).slice(0, 3)).toEqual([
      `all ${failing.checks.length}`,
      "✗ failed 2",
      "! warning 1",
    ]);
    await tabs.nth(1).click();
    await expect.poll(() => shown(page).count()).toBe(2);
    expect(await tabs.nth(1).getAttribute("aria-current")).toBe("true");
  });

  test("failures are in the order of their causes", async () => {
    const cause = { what: "the same", check: SCHEDULE, checks: [SCHEDULE] };
    const { page } = await open(addressOf({ ...failing, causes: [cause] }, "ordered"));
    const ids = await page.locator("details.check.failed").evaluateAll((cards) => cards.map(({ id }) => id));
    expect(ids).toEqual([SCHEDULE, FAILED]);
  });

  test("what changed since the last run is listed with links to the checks", async () => {
    const changes = compareRuns(passing, failing);
    const address = onDisk("changes.html", renderHtml(failing, { ...contextWith(), changes }));
    const { page } = await open(address);
    await page.getByText("3 broken").click();
    await page
      .getByRole("region", { name: "Since the last run" })
      .getByRole("link", { name: FAILED })
      .click();
    await card(page, FAILED).locator(".clauses").waitFor({ state: "visible" });
  });

  test("the member that a failure is about is marked in the body", async () => {
    const exchange = anExchange({ blamed: { path: "error.code", around: '"code": "SUNUCU_HATASI"' } });
    const outcome: Outcome = { status: "failed", duration_ms: 1, requests: 1, exchanges: [exchange] };
    const address = addressOf(some(aReport({ outcomes: { [FAILED]: outcome } })), "marked");
    const { page } = await open(address);
    const body = card(page, FAILED).locator(".exchange .wire > div:last-child pre");
    expect(await body.locator("mark").allTextContents()).toEqual(['"SUNUCU_HATASI"']);
    expect(await body.textContent()).toContain(
      '{\n  "error": {\n    "code": "SUNUCU_HATASI",\n    "message": "Hata"\n  }\n}',
    );
  });

  test("a cell of the matrix leads to its checks", async () => {
    const { page } = await open(addresses.failing);
    await page.getByRole("link", { name: /^Events, time: 1 failed/ }).click();
    const expected = failing.checks.filter(
      ({ level, clauses }) =>
        level === "time" && contextWith().clauses.find(({ id }) => id === clauses[0])?.part === "events",
    );
    await expect.poll(() => shown(page).count()).toBe(expected.length);
  });

  test("a URL with a check's id expands and shows the check", async () => {
    const { page } = await open(`${addresses.passing}#${FAILED}`);
    await card(page, FAILED).locator(".clauses").waitFor({ state: "visible" });
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe(FAILED);
  });

  test("copies the command to run", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page } = await open(`${addresses.failing}#${FAILED}`, { permissions });
    await page.getByRole("button", { name: `Copy: Repeat the request, ${FAILED}` }).click();
    await page.getByText("Repeat the request: copied").waitFor({ state: "attached" });
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(failures[FAILED]?.curl);
  });

  test("draws the retry schedule: bands for expected attempts, a cross for an attempt outside them", async () => {
    const { page } = await open(`${addresses.failing}#${SCHEDULE}`);
    const drawing = card(page, SCHEDULE).getByRole("img", { name: /3 attempts, 4 expected/ });
    expect(await drawing.locator(".band").count()).toBe(4);
    expect(await drawing.locator(".came").count()).toBe(2);
    expect(await drawing.locator(".off-schedule").textContent()).toBe("3");
    await card(page, SCHEDULE).getByText("As a table").click();
    const lines = card(page, SCHEDULE).locator("figure tbody tr");
    await lines.last().waitFor();
    const rows = await lines.allInnerTexts();
    expect(rows.map((row) => row.split("\t").at(-1))).toEqual([
      "the start",
      "in time",
      "too late",
      "not seen",
    ]);
  });

  test("works with the keyboard alone", async () => {
    const { page } = await open(addresses.failing);
    await page.keyboard.press("Tab");
    await page.locator(":focus", { hasText: "Skip to the checks" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    await page.locator(":focus[name=text]").waitFor();
    await page.keyboard.type(FAILED);
    await expect.poll(() => shown(page).count()).toBe(1);
    const summary = card(page, FAILED).locator("summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    await card(page, FAILED).and(page.locator("[open]")).waitFor();
  });

  test("is readable without its script", async () => {
    const { page } = await open(addresses.failing, { javaScriptEnabled: false });
    expect(await page.getByRole("search").count()).toBe(0);
    await card(page, FAILED).locator("summary").first().click();
    await card(page, FAILED).locator(".message").waitFor();
    await page.locator("details.group[data-group=passed] > summary").click();
    await card(page, "creation.unknown-store").waitFor();
  });

  test.each(Object.entries(addresses))("fits a phone: %s", async (_, address) => {
    const { page } = await open(address, { viewport: { width: 360, height: 740 } });
    await page.getByRole("button", { name: "Unfold" }).click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("prints without the interactive elements", async () => {
    const { page } = await open(addresses.failing);
    await page.emulateMedia({ media: "print" });
    await page.getByRole("search").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^Copy/ }).first().waitFor({ state: "hidden" });
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("a passed check expands to all its exchanges, from the page's own data", async () => {
    const passed = passing.checks.find(({ id }) => id === FAILED);
    const wire = new Map([
      [FAILED, [anExchange({ response: { status: 201, headers: {}, body: '{"note":"</script><b>"}' } })]],
    ]);
    const address = onDisk("wire.html", renderHtml(passing, { ...contextWith(), wire }));
    const { page, complaints } = await open(`${address}#${passed?.id}`);
    await page.getByText("All requests and responses: 1 request").click();
    const exchange = page.locator(".all-wire .exchange");
    await exchange.locator("summary").click();
    await expect.poll(() => exchange.locator("pre").nth(1).textContent()).toContain('"note": "</script><b>"');
    expect(complaints).toEqual([]);
  });

  test("the browser reads exchanges.har, and can replay its responses", async () => {
    const har = join(folder, "exchanges.har");
    const exchange = anExchange({
      request: { method: "GET", url: "https://dispatch.example/v1/stores", headers: {} },
    });
    const outcome: Outcome = { status: "failed", duration_ms: 1, requests: 1, exchanges: [exchange] };
    writeFileSync(har, renderHar(aReport({ outcomes: { [FAILED]: outcome } }), {}));
    const { page } = await open("about:blank");
    await page.routeFromHAR(har, { notFound: "abort" });
    const answer = await page.goto(exchange.request.url);
    expect(answer?.status()).toBe(exchange.response?.status);
    expect(await answer?.text()).toBe(exchange.response?.body);
  });
});
