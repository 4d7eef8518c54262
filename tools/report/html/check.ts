import type { Clause } from "../../../suites/core/contract/clause-list.ts";
import { coverageInWords } from "../../../suites/core/contract/set-coverage.ts";
import {
  type Excerpt,
  missingResponse,
  type ReportedExchange,
  shellQuote,
} from "../../../suites/core/exchange.ts";
import { expectedText } from "../../../suites/core/grading/failures/mismatch.ts";
import {
  isCorrect,
  signatureRemark,
  webhookTimes,
} from "../../../suites/core/grading/failures/webhook-text.ts";
import type { ReportedWebhook } from "../../../suites/core/grading/outcome.ts";
import { commandOf, type Report, type ReportContext, type ReportedCheck } from "../model.ts";
import { type Content, html, type Markup } from "../template.ts";
import { durationLabel, type Kind, kindOf, ofKind } from "../text/labels.ts";
import { difference } from "./difference.ts";
import { timeline } from "./timeline.ts";
import { wirePlace } from "./wire.ts";

/** What the report shows instead of the suite's tokens. */
const OUR_TOKEN = "Bearer [redacted]";

function curl({ request }: ReportedExchange): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    value === OUR_TOKEN ? `-H "${name}: Bearer $TOKEN"` : `-H ${shellQuote(`${name}: ${value}`)}`,
  );
  const body = request.body === undefined ? [] : [`--data-raw ${shellQuote(request.body)}`];
  return [`curl -i -X ${request.method} ${shellQuote(request.url)}`, ...headers, ...body].join(" \\\n  ");
}

const comment = (text: string): string => `# ${text.replaceAll(/[\r\n]+/g, " ")}`;

/** A shell script that sends a check's requests in order; undefined for fewer than two requests. */
function scriptOf(exchanges: readonly ReportedExchange[] | undefined): string | undefined {
  if (exchanges === undefined || exchanges.length < 2) return undefined;
  const steps = exchanges.map((exchange) => {
    const { operation, response, violates } = exchange;
    const answer = response ? `response ${response.status}` : missingResponse();
    const purpose = violates === undefined ? "" : `; invalid on purpose: ${violates}`;
    return `${comment(`${operation}, ${answer}${purpose}`)}\n${curl(exchange)}`;
  });
  return [
    "#!/bin/sh",
    "# Put your token here. Ids in later requests are those of the run.",
    'TOKEN="put-a-token-here"',
    "",
    steps.join("\necho\n\n"),
    "",
  ].join("\n");
}

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
const message = (
  start: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): string =>
  [
    start,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || body === "" ? [] : ["", readable(body)]),
  ].join("\n");

/** The pretty-printed body with the member marked; undefined if the body was cut, because it can't be parsed. */
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

/** The member that a failure is about, with its neighbours unless the body shows it. */
const aboutMember = ({ path, around }: Excerpt, withNeighbours = true): Markup =>
  html`<h5>The failure is about <code>${path}</code></h5>${withNeighbours ? html`<pre>${around}</pre>` : undefined}`;

function exchangeOf(exchange: ReportedExchange, open: boolean): Markup {
  const { request, response } = exchange;
  const { blamed } = exchange;
  const body = blamed && response && marked(response.body, blamed.path);
  const member = blamed && aboutMember(blamed, body === undefined);
  const answer = response
    ? html`<pre>${message(`${response.status}`, response.headers, body === undefined ? response.body : "")}${body && html`\n\n${body}`}</pre>`
    : html`<p>No readable response: ${exchange.failure}</p>`;
  return html`<details class="exchange"${open ? html` open` : undefined}>
<summary><code>${request.method} ${request.url}</code> → ${response ? response.status : missingResponse()}${exchange.violates === undefined ? undefined : html` <em>(invalid on purpose: ${exchange.violates})</em>`}</summary>
<p class="small">${exchange.operation}, ${exchange.started_at}, took ${durationLabel(exchange.duration_ms)}</p>
${member}<div class="wire"><div><h5>Request</h5><pre>${message(`${request.method} ${request.url}`, request.headers, request.body)}</pre></div><div><h5>Response</h5>${answer}</div></div>
</details>`;
}

/** The exchanges of a failed check. The last exchange is open, because it usually shows the failure. */
function exchanges(all: readonly ReportedExchange[] | undefined): Content {
  return all?.map((exchange, index) => exchangeOf(exchange, index === all.length - 1));
}

function signatureOf({ signature }: ReportedWebhook): Content {
  if (!signature) return undefined;
  const { signed_text, expected, received } = signature;
  const sign = isCorrect(signature) ? "✓" : "✗";
  return html`<table class="signature"><tbody><tr><th scope="row">Expected</th><td><code>${expected}</code></td></tr><tr><th scope="row">Received</th><td><code>${received}</code></td></tr><tr><th scope="row">Which</th><td><span aria-hidden="true">${sign}</span> ${signatureRemark(signature)}</td></tr></tbody></table>
<details><summary>The signed text</summary><pre>${signed_text}</pre></details>`;
}

function webhookOf(webhook: ReportedWebhook, open: boolean): Markup {
  const { event, method, url, headers, body, blamed } = webhook;
  return html`<details class="exchange"${open ? html` open` : undefined}>
<summary>${event}</summary>
<p class="small">${webhookTimes(webhook)}</p>
${signatureOf(webhook)}
${blamed && aboutMember(blamed)}<pre>${message(`${method} ${url}`, headers, body)}</pre>
</details>`;
}

/** The webhooks of a failure. The last one is decisive, so it is open. */
const webhooks = (all: readonly ReportedWebhook[] | undefined): Content =>
  all?.map((webhook, index) => webhookOf(webhook, index === all.length - 1));

/** The symbol and the word for each kind. The symbols are for readers who can't distinguish colours. */
export const SIGNS: Readonly<Record<Kind, { readonly sign: string; readonly word: string }>> = {
  failed: { sign: "✗", word: "failed" },
  warning: { sign: "!", word: "warning" },
  inconsistent: { sign: "±", word: "inconsistent" },
  errored: { sign: "⚡", word: "errored" },
  known_failure: { sign: "≈", word: "known failure" },
  coming_failure: { sign: "→", word: "upcoming" },
  blocked: { sign: "⊘", word: "blocked" },
  not_verified: { sign: "?", word: "not verified" },
  not_applicable: { sign: "∅", word: "not applicable" },
  not_run: { sign: "–", word: "not run" },
  passed: { sign: "✓", word: "passed" },
  not_claimed: { sign: "·", word: "not claimed" },
};

/** The kinds of checks that ran and didn't pass. */
const RAN_AND_NOT_PASSED: readonly Kind[] = [
  "failed",
  "warning",
  "inconsistent",
  "errored",
  "known_failure",
  "coming_failure",
];

/** A check's clauses, in the check's order. */
const clausesOf = ({ clauses: ids }: ReportedCheck, { clauses }: ReportContext): readonly Clause[] =>
  ids.flatMap((id) => clauses.filter((clause) => clause.id === id));

/** The part of the specification that contains the check's first clause. */
export const partOf = (check: ReportedCheck, context: ReportContext): string =>
  clausesOf(check, context)[0]?.part ?? "";

const section = (name: string, content: Content): Content =>
  content === undefined ? undefined : html`<h5>${name}</h5>${content}`;
const block = (text: string | undefined): Content =>
  text === undefined ? undefined : html`<pre>${text}</pre>`;
/** A text to which the page's script adds a copy button. */
const toCopy = (what: string, text: string | undefined): Content =>
  text === undefined
    ? undefined
    : html`<h5>${what}</h5><div class="copyable"><pre data-copy="${what}">${text}</pre></div>`;

function script({ exchanges: all }: ReportedCheck): Content {
  const text = scriptOf(all);
  return text === undefined
    ? undefined
    : html`<details class="script"><summary>The requests as a script</summary>${toCopy("Script", text)}</details>`;
}

/** The symbol and the word for each result of a failed check's clauses. */
const FINDINGS = {
  failed: { sign: "✗", word: "failed" },
  held: { sign: "✓", word: "passed until the check ended" },
  not_reached: { sign: "–", word: "not reached" },
} as const;

function clauseMark(id: string, findings: ReportedCheck["clause_findings"]): Content {
  const names = ["failed", "held", "not_reached"] as const;
  const found = names.find((name) => findings?.[name].includes(id));
  if (found === undefined) return undefined;
  const { sign, word } = FINDINGS[found];
  return html`<span class="pill ${found}"><span aria-hidden="true">${sign}</span> ${word}</span> `;
}

/** Text in which backticks enclose code. */
export const withCode = (text: string): Content =>
  text.split("`").map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part));

const clauseLine =
  (findings: ReportedCheck["clause_findings"]) =>
  ({ id, level, section: place, text }: Clause): Markup =>
    html`<li>${clauseMark(id, findings)}<strong><a href="#clause-${id}">${id}</a></strong> <span class="small">${level}, ${place}</span><br>${withCode(text)}</li>`;

/** The details of a check. They are collapsed, unless the check is the only failure. */
export function checkCard(check: ReportedCheck, report: Report, context: ReportContext): Markup {
  const kind = kindOf(check, report);
  const { sign, word } = SIGNS[kind];
  const known = clausesOf(check, context);
  const ran = check.status !== "not_run" && check.status !== "not_claimed";
  const isOnlyOne = kind === "failed" && ofKind(report, kind).length === 1;
  const needsLook = RAN_AND_NOT_PASSED.includes(kind);
  const message =
    check.message === undefined ? undefined : html`<span class="message">${check.message}</span>`;
  return html`<details class="check ${kind}" id="${check.id}" tabindex="-1" data-kind="${kind}" data-level="${check.level}" data-part="${partOf(check, context)}"${isOnlyOne ? html` open` : undefined}>
<summary><span class="pill ${kind}"><span aria-hidden="true">${sign}</span> ${word}</span> <h4>${check.id}</h4> <span class="level">${check.level}</span><span class="title">${check.title}</span>${needsLook ? message : undefined}</summary>
<div class="findings">
<ul class="clauses">${known.map(clauseLine(check.clause_findings))}</ul>
${needsLook ? undefined : message}
${check.at === undefined ? undefined : html`<p class="at"><strong>Failed at</strong> ${check.at}</p>`}
${section("Confirmation", block(check.confirmation))}
${difference(expectedText(check), check.actual)}
${section("Coverage", block(check.coverage?.map(coverageInWords).join("\n")))}
${section("Counterexample", block(check.counterexample))}
${check.timeline ? undefined : section("Notes", block(check.account?.join("\n")))}
${timeline(check.timeline)}
${toCopy("Repeat the request", check.curl)}
${needsLook ? toCopy("Run only this check", commandOf(context, check.id)) : undefined}
${script(check)}
${section("All steps", block(check.steps?.join("\n")))}
${section("Steps of a run that passed", block(check.passing_run?.steps?.join("\n")))}
${section("Webhooks", webhooks(check.webhooks))}
${section("Requests and responses", exchanges(check.exchanges))}
${wirePlace(check, context)}
<p class="small"><a href="#${check.id}">Link to this check</a>, since ${check.since}${ran ? `, ${check.requests} requests, ${durationLabel(check.duration_ms)}` : ""}</p>
</div>
</details>`;
}
