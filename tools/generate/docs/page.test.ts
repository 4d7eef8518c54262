import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { operationsOf } from "../../../sandbox/documents/api-document.ts";
import {
  axeFindings,
  isBrowserMissing,
  openBrowser,
  openPage,
} from "../../../sandbox/pages/testing/browser.ts";
import { siteSource } from "../docs.ts";
import { SECTIONS } from "./clauses.ts";
import { renderReference } from "./page.ts";

const source = await siteSource();
const page = renderReference(source);

/** A page with a few of each element, because a browser needs half a minute to test the complete page. */
function shortPage(): string {
  const { document, catalogue, checks } = source;
  const some = <T>(all: Readonly<Record<string, T>>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  return renderReference({
    document: {
      ...document,
      paths: some(document.paths, ["/oauth/token", "/v1/deliveries"]),
      webhooks: some(document.webhooks, ["webhook.test"]),
      components: {
        ...document.components,
        schemas: some(document.components.schemas, [
          "NewDelivery",
          "NewPayment",
          "NewItem",
          "Error",
          "StoreList",
        ]),
      },
    },
    catalogue: {
      ...catalogue,
      clauses: catalogue.clauses.slice(0, 20),
      open_points: catalogue.open_points.slice(0, 10),
    },
    checks,
  });
}
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe("the reference page", () => {
  test("has no duplicate ids, and each internal link has a target", () => {
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter((href) => href !== "data:," && !ids.includes(href.replace(/^#/, "")))).toEqual([]);
  });

  test("has every operation, event, body, clause and open point", () => {
    const { document, catalogue } = source;
    const due = [
      ...operationsOf(document).map(({ operation }) => operation.operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
      ...catalogue.clauses.map(({ id }) => id),
      ...catalogue.open_points.map(({ id }) => id),
    ];
    expect(due.length).toBeGreaterThan(700);
    expect(due.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("shows each heading of the specification with all of its clauses", () => {
    const rows = [
      ...page.matchAll(/<tr><th scope="row">([^<]+)<\/th><td>(\d+)<\/td><td>\d+<\/td><td>(.*?)<\/td>/g),
    ];
    const shown = rows.flatMap(([, , , links = ""]) =>
      [...links.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id),
    );
    expect(shown.toSorted()).toEqual(source.catalogue.clauses.map(({ id }) => id).toSorted());
    const sections = new Set(source.catalogue.clauses.map(({ section }) => section));
    expect(rows.map(([, heading]) => heading).toSorted()).toEqual([...sections].toSorted());
  });

  test("has each heading of the specification in one group of operations", () => {
    const sections = new Set(source.catalogue.clauses.map(({ section }) => section));
    expect(Object.values(SECTIONS).flat().sort()).toEqual([...sections].sort());
    expect(Object.keys(SECTIONS)).toEqual([
      "General",
      ...new Set(source.document.tags.map(({ name }) => name)),
    ]);
  });
});

describe.skipIf(isBrowserMissing)("the reference page in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "reference-"));
  const onDisk = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).href;
  };
  const address = onDisk("api.html", page);
  let browser: Browser;
  let opened: Page | undefined;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    await opened?.context().close();
    opened = undefined;
  });
  afterAll(() => browser.close());

  async function open(options: BrowserContextOptions = {}) {
    const found = await openPage(browser, "null", options);
    opened = found.page;
    return found;
  }

  test.each(["light", "dark"] as const)("makes no requests, and is accessible: %s", async (colorScheme) => {
    const { page: shown, faults } = await open({ colorScheme });
    await shown.goto(onDisk("short.html", shortPage()));
    expect(await axeFindings(shown)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("works without scripts: its table of contents leads to an operation", async () => {
    const { page: shown } = await open({ javaScriptEnabled: false });
    await shown.goto(address);
    await shown.getByRole("navigation").getByRole("link", { name: "POST /v1/quotes" }).click();
    await shown.locator("#createQuote:target").waitFor();
  });

  test("fits a phone without horizontal scrolling", async () => {
    const { page: shown } = await open({ viewport: { width: 360, height: 740 } });
    await shown.goto(address);
    expect(await shown.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("shows an operation's required fields, bounds and nested fields", async () => {
    const { page: shown } = await open();
    await shown.goto(`${address}#createDelivery`);
    const body = shown.getByRole("region", { name: "Body of POST /v1/deliveries", exact: true });
    const row = (name: string) =>
      body.getByRole("row").filter({ has: shown.getByRole("rowheader", { name }) });
    expect(await row("external_ref required").textContent()).toContain("at most 40 characters");
    expect(await row("payment.amount_due required").count()).toBe(1);
    expect(await row("items[].quantity").textContent()).toContain("at most 3 decimal places");
    const answers = shown.getByRole("region", { name: "Answers of POST /v1/deliveries", exact: true });
    expect(await answers.textContent()).toContain("IDEMPOTENCY_CAKISMA");
  });

  test("a link to a clause in a collapsed list expands it", async () => {
    const { page: shown } = await open();
    await shown.goto(`${address}#IDEM-1`);
    await shown.locator("#IDEM-1").waitFor();
  });
});
