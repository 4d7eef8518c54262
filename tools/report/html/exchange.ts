import type { ReportedExchange } from "../../../suites/core/exchange.ts";
import { durationLabel } from "../labels.ts";
import { type Content, html, type Markup } from "../template.ts";

/** JSON with one member in a line; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** A request or an answer as text, as it went over the wire; JSON is laid out for reading. */
export const message = (
  start: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): string =>
  [
    start,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || body === "" ? [] : ["", readable(body)]),
  ].join("\n");

/** One request and its answer, as they went over the wire; JSON is laid out for reading. */
function exchangeOf(exchange: ReportedExchange, open: boolean): Markup {
  const { request, response } = exchange;
  const { blamed } = exchange;
  const member = blamed && html`<h5>It is about <code>${blamed.path}</code></h5><pre>${blamed.around}</pre>`;
  const answer = response
    ? html`<pre>${message(`${response.status}`, response.headers, response.body)}</pre>`
    : html`<p>No answer: ${exchange.failure}</p>`;
  return html`<details class="exchange"${open ? html` open` : undefined}>
<summary><code>${request.method} ${request.url}</code> → ${response ? response.status : "no answer"}${exchange.violates === undefined ? undefined : html` <em>(on purpose: ${exchange.violates})</em>`}</summary>
<p class="small">${exchange.operation}, ${exchange.started_at}, took ${durationLabel(exchange.duration_ms)}</p>
${member}<div class="wire"><div><h5>Request</h5><pre>${message(`${request.method} ${request.url}`, request.headers, request.body)}</pre></div><div><h5>Answer</h5>${answer}</div></div>
</details>`;
}

/** The exchanges of a failed check; the last, which usually shows it, is open. */
export function exchanges(all: readonly ReportedExchange[] | undefined): Content {
  return all?.map((exchange, index) => exchangeOf(exchange, index === all.length - 1));
}
