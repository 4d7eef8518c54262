import type { ReportedExchange } from "../../../suites/core/exchange.ts";
import { type Content, html, type Markup } from "../template.ts";
import { durationLabel } from "../text/labels.ts";

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Pretty-printed JSON; other text is unchanged. */
const readable = (body: string): string => {
  const json = parsed(body);
  return json === undefined ? body : JSON.stringify(json, null, 2);
};

/** A request or a response as sent, with pretty-printed JSON. */
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

/** A pretty-printed body with a marked member; undefined if the body was cut, so that it can't be parsed. */
function marked(body: string, path: string): Content {
  const json = parsed(body);
  const keys = path.match(/[^.[\]]+/g) ?? [];
  const last = keys.at(-1) ?? "";
  const parent = keys
    .slice(0, -1)
    .reduce<unknown>(
      (here, key) => (typeof here === "object" && here !== null ? Reflect.get(here, key) : undefined),
      json,
    );
  if (typeof parent !== "object" || parent === null) return undefined;
  const value = JSON.stringify(Reflect.get(parent, last), null, 2);
  const [before, after, ...more] = withPlaceholder(json, parent, last);
  if (value === undefined || after === undefined || more.length > 0) return undefined;
  return html`${before}<mark>${value.replaceAll("\n", `\n${"  ".repeat(keys.length)}`)}</mark>${after}`;
}

const PLACEHOLDER = "the-marked-member";

/** The text before and after a member. */
function withPlaceholder(json: unknown, parent: object, key: string): readonly string[] {
  Reflect.set(parent, key, PLACEHOLDER);
  return JSON.stringify(json, null, 2).split(JSON.stringify(PLACEHOLDER));
}

function exchangeOf(exchange: ReportedExchange, open: boolean): Markup {
  const { request, response } = exchange;
  const { blamed } = exchange;
  const body = blamed && response && marked(response.body, blamed.path);
  const excerpt = body === undefined && blamed ? html`<pre>${blamed.around}</pre>` : undefined;
  const member = blamed && html`<h5>The failure is about <code>${blamed.path}</code></h5>${excerpt}`;
  const answer = response
    ? html`<pre>${message(`${response.status}`, response.headers, body === undefined ? response.body : "")}${body && html`\n\n${body}`}</pre>`
    : html`<p>No response: ${exchange.failure}</p>`;
  return html`<details class="exchange"${open ? html` open` : undefined}>
<summary><code>${request.method} ${request.url}</code> → ${response ? response.status : "no response"}${exchange.violates === undefined ? undefined : html` <em>(invalid on purpose: ${exchange.violates})</em>`}</summary>
<p class="small">${exchange.operation}, ${exchange.started_at}, took ${durationLabel(exchange.duration_ms)}</p>
${member}<div class="wire"><div><h5>Request</h5><pre>${message(`${request.method} ${request.url}`, request.headers, request.body)}</pre></div><div><h5>Response</h5>${answer}</div></div>
</details>`;
}

/** The exchanges of a failed check. The last exchange is open, because it usually shows the failure. */
export function exchanges(all: readonly ReportedExchange[] | undefined): Content {
  return all?.map((exchange, index) => exchangeOf(exchange, index === all.length - 1));
}
