import { type ReportedExchange, shellQuote } from "../../../suites/core/exchange.ts";

/** The report's replacement for the suite's own tokens. */
const OUR_TOKEN = "Bearer [redacted]";

function curl({ request }: ReportedExchange): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    value === OUR_TOKEN ? `-H "${name}: Bearer $TOKEN"` : `-H ${shellQuote(`${name}: ${value}`)}`,
  );
  const body = request.body === undefined ? [] : [`--data-raw ${shellQuote(request.body)}`];
  return [`curl -i -X ${request.method} ${shellQuote(request.url)}`, ...headers, ...body].join(" \\\n  ");
}

const comment = (text: string): string => `# ${text.replaceAll(/[\r\n]+/g, " ")}`;

/** A shell script that sends the same requests in order; undefined for fewer than two. */
export function scriptOf(exchanges: readonly ReportedExchange[] | undefined): string | undefined {
  if (exchanges === undefined || exchanges.length < 2) return undefined;
  const steps = exchanges.map((exchange) => {
    const { operation, response, violates } = exchange;
    const answer = response ? `answered ${response.status}` : "not answered";
    const purpose = violates === undefined ? "" : `; invalid on purpose: ${violates}`;
    return `${comment(`${operation}, ${answer}${purpose}`)}\n${curl(exchange)}`;
  });
  return [
    "#!/bin/sh",
    "# Put your token here; ids in later requests are those of the run.",
    'TOKEN="put-a-token-here"',
    "",
    steps.join("\necho\n\n"),
    "",
  ].join("\n");
}
