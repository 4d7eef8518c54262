import type { Exchange } from "../../../suites/core/exchange.ts";
import { isActive } from "../../../suites/server/check.ts";
import { checks } from "../../../suites/server/checks/index.ts";
import { runCheck } from "../../../suites/server/run-check.ts";
import { DEFAULT_POINT } from "../../../suites/server/session/sample-data/settings.ts";
import { Session } from "../../../suites/server/session/session.ts";
import { shortened } from "../../certification/example-lines.ts";
import { openEmbedded } from "./open-target.ts";

const SETTINGS = { point: DEFAULT_POINT, answerMs: 10_000, maxWaitMs: 0, receiver: undefined };
/** The seed is fixed, so that --explain always shows the same example. */
const SEED = 1;

function line({ method, url, response, violates }: Exchange, base: string): string {
  const path = url.replace(base, "").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
  const purpose = violates === undefined ? "" : `   (invalid on purpose: ${violates})`;
  return `${method} ${path.length > 90 ? `${path.slice(0, 90)}…` : path} → ${response?.status ?? "no response"}${purpose}`;
}

/**
 * Runs one check on the embedded reference server.
 * @returns a line for each request with its response; empty for a check that sends no requests
 */
export async function runExample(id: string): Promise<readonly string[]> {
  const check = checks.filter(isActive).find((candidate) => candidate.id === id);
  if (!check) return [];
  const target = await openEmbedded(SETTINGS);
  const lines: string[] = [];
  try {
    const session = await Session.open(target.settings, {
      observe: (exchange) => lines.push(line(exchange, target.settings.url)),
      receiver: check.needs.includes("receiver"),
    });
    try {
      // Drops the requests that open the session, because they aren't part of the check.
      lines.length = 0;
      await runCheck(check, session, SEED);
    } finally {
      await session.close();
    }
  } finally {
    await target.close();
  }
  return shortened(lines);
}
