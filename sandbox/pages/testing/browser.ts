/** Chromium for tests of the pages, if it is installed. */
import { existsSync } from "node:fs";
import { source as axeSource } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Debian's programs. The headless shell renders the same pages with a third of the CPU time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = process.env.CHROMIUM_PATH ?? PROGRAMS.find(existsSync) ?? "";

/**
 * Without a browser these tests are skipped, unless the environment demands every service
 * (REQUIRE_SERVICES=1).
 */
export const isBrowserMissing = !existsSync(executablePath) && process.env.REQUIRE_SERVICES !== "1";

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Opens a page, and records console errors and requests to other origins than `origin`. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) faults.push(`request: ${url.href}`);
  });
  return { page, faults };
}

/**
 * Removes one browser message per response status from a page's faults. The browser may report a status after
 * the page has shown the response.
 */
export async function removeStatusMessages(faults: string[], ...statuses: number[]): Promise<void> {
  const messages = statuses.map((status) => expect.stringContaining(`status of ${status} `));
  await expect.poll(() => faults, { timeout: 30_000 }).toEqual(messages);
  faults.length = 0;
}

/** axe's findings on the current page: rule and element. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Runs in the debugger, which the page's content security policy doesn't affect.
  await page.evaluate(axeSource);
  return page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))",
  );
}
