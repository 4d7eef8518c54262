import { missingResponse } from "../../../suites/core/exchange.ts";
import { clauseFinding } from "../../../suites/core/grading/clauses/clause-findings.ts";
import { expectedText } from "../../../suites/core/grading/failures/mismatch.ts";
import { webhookText } from "../../../suites/core/grading/failures/webhook-text.ts";
import { withShortParameters } from "../../../suites/core/text/short-parameters.ts";
import { requestsFile } from "../files.ts";
import { commandOf, type ReportContext, type ReportedCheck } from "../model.ts";
import { caseSuffix } from "./clause-labels.ts";
import type { Paint } from "./paint.ts";
import { isPastable } from "./pastable.ts";

const indent = (text: string) => text.split("\n").join("\n              ");
const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`    ${name.padEnd(9)} ${indent(text)}`];

const MAX_CHARS = 600;
const inBounds = (lines: readonly string[]): string =>
  lines.map((line) => (line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line)).join("\n");

/** A body with shortened long strings, such as cursors and links, so that the other members are visible. */
const shortened = (body: string): string =>
  body.replaceAll(/"(?:[^"\\]|\\.){80,}(?:"|$)/g, (text) => `${text.slice(0, 40)}…"`).slice(0, MAX_CHARS);

/** The maximum number of lines shown of a value. The whole value is in report.json. */
const MAX_VALUE_LINES = 12;

function firstLines(value: string | undefined): string | undefined {
  const lines = value?.split("\n") ?? [];
  if (lines.length <= MAX_VALUE_LINES) return value;
  const shown = lines.slice(0, MAX_VALUE_LINES - 1);
  return [...shown, `… ${lines.length - shown.length} more lines`].join("\n");
}

/** The maximum number of clauses shown for a failure. If a check has more, only the failed clauses are shown. */
const MAX_CLAUSES = 4;

function clauseFields(
  { clauses: ids, clause_findings: findings }: ReportedCheck,
  clauses: ReportContext["clauses"],
): readonly string[] {
  const stated = ids.flatMap((id) => clauses.filter((clause) => clause.id === id));
  const isFailed = ({ id }: { readonly id: string }) => findings?.failed.includes(id) ?? true;
  const shown = stated.length > MAX_CLAUSES ? stated.filter(isFailed).slice(0, MAX_CLAUSES - 1) : stated;
  const others = stated.filter((clause) => !shown.includes(clause)).map(({ id }) => id);
  return [
    ...shown.flatMap((clause) =>
      field(
        "clause",
        `${clause.id} (${clause.level}, ${clause.section}${clauseFinding(clause.id, findings)}): ${clause.text}`,
      ),
    ),
    ...(others.length > 0 ? field("", `and ${others.join(", ")}`) : []),
  ];
}

/** A failure in full: the clause in words, the difference, the exchange, and how to repeat it. */
export function failureInFull(
  check: ReportedCheck,
  { clauses, reportFolder, ...context }: ReportContext,
  paint: Paint,
): string {
  const exchange = check.curl === undefined ? undefined : check.exchanges?.at(-1);
  const response = exchange?.response;
  const blamed = exchange?.blamed;
  const answered = response?.body ? [`< ${shortened(response.body)}`] : [];
  const wire =
    exchange &&
    [
      `${exchange.request.method} ${withShortParameters(exchange.request.url)} → ${response?.status ?? missingResponse(exchange.failure)}`,
      ...(exchange.violates ? [`(invalid on purpose: ${exchange.violates})`] : []),
      ...(exchange.request.body ? [`> ${shortened(exchange.request.body)}`] : []),
      // If the faulty part of the response is known, this part is shown instead of the response's beginning.
      ...(blamed ? [`< ${blamed.path} in the response:`, blamed.around] : answered),
    ].join("\n");
  const webhook = check.webhooks?.at(-1);
  const warning = check.severity === "SHOULD" ? "WARNING" : "FAILED";
  return [
    `${paint(warning === "FAILED" ? ["bold", "red"] : ["bold", "yellow"], warning)}  ${paint("bold", check.id)}${caseSuffix(check).replaceAll("\n", "\\n")}`,
    `    ${check.title}`,
    ...clauseFields(check, clauses),
    ...field("message", check.message),
    ...field("at", check.at),
    ...field("confirmation", check.confirmation),
    ...field("expected", firstLines(expectedText(check))),
    ...field("actual", firstLines(check.actual)),
    ...field("seen", check.account?.join("\n")),
    ...field("example", check.counterexample),
    ...(reportFolder !== undefined && check.exchanges !== undefined && check.exchanges.length > 0
      ? field("requests", requestsFile(reportFolder, check.id))
      : []),
    ...field("steps", check.steps?.join("\n")),
    ...field("webhook", webhook && inBounds(webhookText(webhook))),
    ...field("exchange", wire),
    ...field("trace", exchange?.request.headers.traceparent?.split("-")[1]),
    ...field("repeat", pastable(check.curl)),
    ...field("re-run", commandOf(context, check.id)),
  ].join("\n");
}

/** The curl line, or the name of its file if it is too long to paste. */
const pastable = (curl: string | undefined): string | undefined =>
  curl === undefined || isPastable(curl)
    ? curl
    : `a curl line of ${curl.length} characters, too long to paste: --report DIR writes it to report.html`;
