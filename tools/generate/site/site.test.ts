import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  axeFindings,
  isBrowserMissing,
  openBrowser,
  openPage,
} from "../../../sandbox/pages/testing/browser.ts";
import { aReport, declaredRightly, failures } from "../../report/testing/sample-report.ts";
import type { Entry } from "../../results/entry.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";
import { siteSource } from "../docs.ts";
import { renderMarkdown } from "./markdown.ts";
import { siteFiles, writeSite } from "./site.ts";

const entryOf = (path: string, name: string, report: Entry["report"]): Entry => ({
  path,
  implementation: { name, version: "1.0", by: "Acme", url: "https://acme.example" },
  report,
  unverified: false,
});
const ACME = "acme/1.0";
const entries = [
  entryOf(ACME, "Acme", aReport(declaredRightly)),
  entryOf("zeta/1.0", "Zeta <b>", aReport({ outcomes: failures })),
];
const source = await siteSource(entries);
const files = siteFiles(source);

/** Part of the clause list, because a browser needs half a minute to test all of it. */
const short = siteFiles({
  ...source,
  catalogue: {
    ...source.catalogue,
    clauses: source.catalogue.clauses.slice(0, 20),
    open_points: source.catalogue.open_points.slice(0, 10),
  },
});

describe("the files of the site", () => {
  const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const ids = new Map([...files].map(([path, text]) => [path, new Set(idsOf(text))]));
  const pages = [...files].filter(([path]) => path.endsWith(".html"));

  test("there is a page for each guide, the API, the clause list, the results and the search", () => {
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        "index.html",
        "api.html",
        "clauses.html",
        "open-points.html",
        "results.html",
        "search.html",
        "guides/index.html",
        "guides/ci.html",
        "guides/contributing.html",
        `results/${ACME}/report.html`,
        `results/${ACME}/report.json`,
        `results/${ACME}/attestation.json`,
      ]),
    );
  });

  test("no link is dead or begins at the server's root", () => {
    const links = pages.flatMap(([path, text]) =>
      [...text.matchAll(/ (?:href|action)="([^"]*)"/g)].map(([, href = ""]) => ({ path, href })),
    );
    expect(links.length).toBeGreaterThan(2000);
    const dead = links.filter(({ path, href }) => {
      if (/^(https:\/\/|data:,|data:image|#level=)/.test(href)) return false;
      const [target = "", fragment] = href.split("#");
      const to = target === "" ? path : posix.join(posix.dirname(path), target);
      return (
        target.startsWith("/") || !files.has(to) || (fragment !== undefined && !ids.get(to)?.has(fragment))
      );
    });
    expect(dead).toEqual([]);
  });

  test("no page has duplicate ids or external resources", () => {
    const twice = pages.flatMap(([path, text]) => {
      const all = idsOf(text);
      return all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${path}#${id}`);
    });
    expect(twice).toEqual([]);
    expect(
      pages.filter(([, text]) => !text.includes("default-src &#39;none&#39;")).map(([path]) => path),
    ).toEqual([]);
  });

  test("the pages contain all clauses, all checks with the version that introduced them, and all open points", () => {
    const { catalogue, checks } = source;
    const clauses = files.get("clauses.html") ?? "";
    const missing = [...catalogue.clauses, ...checks].filter(({ id }) => !ids.get("clauses.html")?.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(clauses.match(/, since \d+\.\d+</g)?.length).toBe(checks.length);
    expect(catalogue.open_points.filter(({ id }) => !ids.get("open-points.html")?.has(id))).toEqual([]);
  });

  test("llms.txt links files of the site, and every guide", () => {
    const links = [...(files.get("llms.txt") ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => to);
    expect(links.filter((to) => !files.has(to))).toEqual([]);
    expect(links).toEqual(
      expect.arrayContaining(
        [...files.keys()].filter((path) => /^guides\/(?!index)/.test(path) || path.startsWith("catalogue/")),
      ),
    );
  });

  test.each(source.suites)(
    "the catalogue of $command is as --list --json prints it",
    async ({ command, subject }) => {
      const { stdout } = await callCli([command.split(" ")[2] ?? "", "--list", "--json"]);
      expect(files.get(`catalogue/${subject}.json`)).toBe(stdout);
    },
  );

  test("each certified service is listed with levels, suite and open failures, and names are escaped", () => {
    const results = files.get("results.html") ?? "";
    expect(results).toContain("Zeta &lt;b&gt;");
    expect(results).toMatch(/Acme<\/a> 1\.0.*CONFORMANT.*api, events, courier, time/s);
    expect(results).toMatch(/NONCONFORMANT.*3 open failures.*events, courier/s);
    const row = /<a href="clauses\.html#IDEM-5">IDEM-5<.*?<\/tr>/s.exec(results)?.[0] ?? "";
    expect(row).toContain("<td>MUST</td>");
    expect(row.match(/title="\w+"/g)).toEqual(['title="passed"', 'title="failed"']);
  });
});

test("HTML in a document stays text, and a heading has the id that GitHub gives it", () => {
  const { content, headings } = renderMarkdown(
    "# A `b` & c: d\n\n<script>x</script> and <b>c</b>\n\n## In a pipeline\n",
    (href) => href,
  );
  expect(content.text).not.toMatch(/<script|<b>/);
  expect(headings.map(({ id }) => id)).toEqual(["a-b--c-d", "in-a-pipeline"]);
});

test("is written into a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const written = writeSite(folder, source);
  expect(readFileSync(join(folder, "index.html"), "utf8")).toBe(files.get("index.html"));
  expect(written).toEqual([...files.keys()]);
});

const BELOW = "/some/path/";

describe.skipIf(isBrowserMissing)("the site in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const onDisk = `${pathToFileURL(folder).href}/`;
  let served: string;
  let server: Server;
  let browser: Browser;
  let opened: Page | undefined;

  beforeAll(async () => {
    writeSite(folder, source);
    server = createServer(({ url = "" }, answer) => {
      const path = url.split("?")[0] ?? "";
      const text = path.startsWith(BELOW) ? short.get(path.slice(BELOW.length)) : undefined;
      answer.writeHead(text === undefined ? 404 : 200, { "content-type": "text/html" }).end(text);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("it listens on no port");
    served = `http://127.0.0.1:${address.port}${BELOW}`;
    browser = await openBrowser();
  });
  afterEach(async () => {
    await opened?.context().close();
    opened = undefined;
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function open(origin: string, options: BrowserContextOptions = {}) {
    const found = await openPage(browser, origin, options);
    opened = found.page;
    return found;
  }

  const PAGES = [
    "index.html",
    "guides/index.html",
    "guides/ci.html",
    "clauses.html",
    "open-points.html",
    "results.html",
    "search.html?q=teslimat delivery",
  ];

  // The layout doesn't depend on the colours.
  test.each([
    [390, "light"],
    [1440, "dark"],
  ] as const)(
    "below a path, at %i pixels, %s: accessible, no wider than the screen, makes no external requests",
    async (width, colorScheme) => {
      const { page, faults } = await open(new URL(served).origin, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      for (const path of PAGES) {
        await page.goto(`${served}${path}`);
        expect(await axeFindings(page), path).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
      }
      expect(faults).toEqual([]);
    },
  );

  test.each(["a server", "a disk"])(
    "from %s: search leads to a check, and from there to the clauses around its clause",
    async (from) => {
      const root = from === "a disk" ? onDisk : served;
      const { page, faults } = await open(from === "a disk" ? "null" : new URL(served).origin);
      await page.goto(`${root}guides/ci.html`);
      await page.getByRole("searchbox", { name: "Search the site" }).fill("kurye adres");
      await page.getByRole("button", { name: "Search" }).click();
      await page.waitForURL(/search\.html\?q=kurye/);
      const box = page.getByRole("searchbox", { name: "Words" });
      await box.fill("bodies are json");
      await page.getByRole("link", { name: "passive.bodies-are-json" }).click();
      await page.locator('[id="passive.bodies-are-json"]:target').waitFor();
      await page.getByRole("link", { name: "Results" }).click();
      await page.getByRole("link", { name: "report" }).first().waitFor();
      expect(faults).toEqual([]);
    },
  );

  test("search ignores accents and case, and matches prefixes", async () => {
    const { page } = await open("null");
    await page.goto(`${onDisk}search.html`);
    const box = page.getByRole("searchbox", { name: "Words" });
    for (const [words, expected] of [
      ["imleç geçersiz", "IMLEC_GECERSIZ"],
      ["IDEM-5", "IDEM-5"],
      ["pairi", "pairing"],
    ] as const) {
      await box.fill(words);
      const found = page.getByRole("listitem").filter({ hasText: expected });
      await found.first().waitFor();
    }
    await box.fill("<img src=x onerror=alert(1)>");
    expect(await page.locator("#found img").count()).toBe(0);
  });
});
