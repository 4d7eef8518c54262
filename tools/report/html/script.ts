import { type ReportedExchange, shellQuote } from "../../../suites/core/exchange.ts";

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

/** A shell script that sends the same requests in order; undefined for fewer than two requests. */
export function scriptOf(exchanges: readonly ReportedExchange[] | undefined): string | undefined {
  if (exchanges === undefined || exchanges.length < 2) return undefined;
  const steps = exchanges.map((exchange) => {
    const { operation, response, violates } = exchange;
    const answer = response ? `response ${response.status}` : "no response";
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
