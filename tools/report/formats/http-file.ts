import { missingResponse, type ReportedExchange } from "../../../suites/core/exchange.ts";
import { expectedText } from "../../../suites/core/grading/failures/mismatch.ts";
import { visible } from "../../../suites/core/text/visible-text.ts";
import type { ReportedCheck } from "../model.ts";

/** What the report shows instead of the suite's tokens. */
const OUR_TOKEN = "Bearer [redacted]";

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
const comment = (text: string): string => `# ${inOneLine(text)}`;

/**
 * A request between `###` lines. The body has one line, so it can't contain a `###` line.
 */
function requestOf(
  { operation, violates, request, response }: ReportedExchange,
  place: number,
  all: readonly unknown[],
): string {
  const answer = response ? `response ${response.status}` : missingResponse();
  const purpose = violates === undefined ? "" : `; invalid on purpose: ${violates}`;
  const last = place === all.length - 1 ? "; the failure is about this request" : "";
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `${name}: ${value === OUR_TOKEN ? "Bearer {{token}}" : inOneLine(value)}`,
  );
  return [
    `### ${inOneLine(`${place + 1}. ${operation}, ${answer}${purpose}${last}`)}`,
    `${request.method} ${inOneLine(request.url)}`,
    ...headers,
    ...(request.body === undefined ? [] : ["", inOneLine(request.body)]),
    "",
  ].join("\n");
}

/** The requests of a failed check in order, for an editor's HTTP client; undefined if there are none. */
export function renderHttpFile(check: ReportedCheck): string | undefined {
  const { id, title, message = "", actual, steps = [], exchanges = [] } = check;
  if (exchanges.length === 0) return undefined;
  const expected = expectedText(check);
  const head = [
    comment(`${id}: ${title}`),
    comment(message),
    ...(expected === undefined ? [] : [comment(`expected: ${expected}`)]),
    ...(actual === undefined ? [] : [comment(`actual: ${actual}`)]),
    ...(steps.length > 0 ? ["#", "# What the check did:", ...steps.map(comment)] : []),
    "#",
    "# Put your token here. Ids and keys are those of the run. Replace each [redacted] with your value.",
    "@token = put-a-token-here",
    "",
  ];
  return visible([...head, ...exchanges.map(requestOf)].join("\n"));
}
