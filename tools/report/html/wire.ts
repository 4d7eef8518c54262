import { deflateRawSync } from "node:zlib";
import type { ReportedExchange } from "../../../suites/core/exchange.ts";
import { visible } from "../../../suites/core/text/visible-text.ts";
import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { type Content, html, Markup } from "../template.ts";

/**
 * The group of checks whose exchanges share a compressed block. A larger block compresses better. The script unpacks it
 * when a check is opened.
 */
const groupOf = (id: string): string => id.split(".")[0] ?? "";

const inWords = (count: number): string => (count === 1 ? "1 request" : `${count} requests`);

/** The placeholder for a check's exchanges. The script fills it when the check is opened. */
export function wirePlace({ id }: ReportedCheck, { wire }: ReportContext): Content {
  const count = wire?.get(id)?.length ?? 0;
  if (count === 0) return undefined;
  return html`<details class="all-wire" data-wire="${groupOf(id)}" data-of="${id}"><summary>All requests and responses: ${inWords(count)}</summary><p class="small">The page's script unpacks them. With --har, exchanges.har contains them too.</p></details>`;
}

function packed(exchanges: Readonly<Record<string, readonly ReportedExchange[]>>): Markup {
  const text = JSON.stringify(exchanges, (_, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  );
  return new Markup(deflateRawSync(text, { level: 9 }).toString("base64"));
}

/** All exchanges of the run as data, a block per group of checks. */
export function wireBlocks({ checks }: Report, { wire }: ReportContext): Content {
  const shown = checks.flatMap(({ id }) => {
    const exchanges = wire?.get(id) ?? [];
    return exchanges.length > 0 ? [{ id, exchanges }] : [];
  });
  return [...Map.groupBy(shown, ({ id }) => groupOf(id))].map(([group, alike]) => {
    const byId = Object.fromEntries(alike.map(({ id, exchanges }) => [id, exchanges]));
    return html`<script type="text/plain" data-wire-block="${group}">${packed(byId)}</script>\n`;
  });
}
