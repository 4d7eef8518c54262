import { STATUS_CODES } from "node:http";
import { missingResponse, type ReportedExchange } from "../../../suites/core/exchange.ts";
import type { Report, ReportContext } from "../model.ts";
import { jsonFile } from "./json.ts";

/** The HAR 1.2 value for an unknown size. */
const UNKNOWN = -1;

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const queryOf = (url: string) =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];

function requestOf({ request: { method, url, headers, body } }: ReportedExchange) {
  return {
    method,
    url,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(headers),
    queryString: queryOf(url),
    ...(body !== undefined && {
      postData: { mimeType: headers["content-type"] ?? "", text: body },
    }),
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
  };
}

function responseOf({ response, failure }: ReportedExchange) {
  const { status = 0, headers = {}, body = "" } = response ?? {};
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    httpVersion: response ? "HTTP/1.1" : "",
    cookies: [],
    headers: pairs(headers),
    content: {
      size: Buffer.byteLength(body),
      mimeType: headers["content-type"] ?? "x-unknown",
      text: body,
    },
    redirectURL: headers.location ?? "",
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
    ...(failure !== undefined && { comment: missingResponse(failure) }),
  };
}

const entryOf = (pageref: string, exchange: ReportedExchange) => ({
  pageref,
  startedDateTime: exchange.started_at,
  time: exchange.duration_ms,
  request: requestOf(exchange),
  response: responseOf(exchange),
  cache: {},
  timings: { send: 0, wait: exchange.duration_ms, receive: 0 },
  ...(exchange.violates !== undefined && { comment: `invalid on purpose: ${exchange.violates}` }),
});

/**
 * exchanges.har (HTTP Archive 1.2), for the network panel of a browser. It contains the exchanges of the failures; with
 * --har those of the whole run, about 15 MB. Each check with exchanges is a page. Secrets are redacted and long
 * bodies cut, as in report.json.
 */
export function renderHar(
  { suite, checks }: Report,
  { wire, har = false }: Pick<ReportContext, "wire" | "har">,
): string {
  const all = checks.map(({ exchanges: shown = [], ...check }) => ({
    ...check,
    exchanges: (har ? wire?.get(check.id) : undefined) ?? shown,
  }));
  const pages = all.flatMap(({ id, title, exchanges: [first] }) => {
    return first
      ? [{ startedDateTime: first.started_at, id, title: `${id}: ${title}`, pageTimings: {} }]
      : [];
  });
  const entries = all.flatMap(({ id, exchanges }) => exchanges.map((exchange) => entryOf(id, exchange)));
  const log = {
    version: "1.2",
    creator: { name: suite.name, version: suite.version },
    pages,
    entries: entries.toSorted((a, b) => a.startedDateTime.localeCompare(b.startedDateTime)),
  };
  // The JSON is on one line, because indentation would make a large file much larger.
  return jsonFile({ log }, 0);
}
