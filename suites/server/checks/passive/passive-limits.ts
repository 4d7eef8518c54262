import { clause } from "../../../../openapi/generated/clauses.ts";
import { operationById } from "../../../core/contract/document.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { isRefusal, isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { faultInResponse, onResponse, type ResponseFault } from "./responses.ts";

const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;

const missingHeaders: ResponseFault = ({ headers, status }, { operation }) => {
  const missing = RATE_HEADERS.filter((name) => headers[name] === undefined);
  return missing.length > 0
    ? `the ${status} response to ${operation} lacks ${missing.join(", ")}`
    : undefined;
};

const headersOnSuccess = passiveCheck({
  id: "passive.rate-headers-on-success",
  title: "every 2xx response has the headers x-ratelimit-limit, x-ratelimit-remaining and x-ratelimit-reset",
  clauses: [clause["LIMIT-35"]],
  applies: onResponse(isSuccess),
  fault: faultInResponse(missingHeaders),
});

const headersOnRefusal = passiveCheck({
  id: "passive.rate-headers-on-refusal",
  title: "every error response has the three rate limit headers",
  clauses: [clause["LIMIT-36"]],
  applies: onResponse((response) => isRefusal(response) && response.status < 500),
  fault: faultInResponse(missingHeaders),
});

/** Whether the seconds are whole numbers is unspecified. Some gateways list policies after the limit: 1200, 1200;w=60. */
const FORM_OF = {
  "x-ratelimit-limit": /^\d+\s*(,.*)?$/,
  "x-ratelimit-remaining": /^\d+$/,
  "x-ratelimit-reset": /^\d+(\.\d+)?$/,
} as const;

const headersAreIntegers = passiveCheck({
  id: "passive.rate-headers-are-integers",
  title:
    "x-ratelimit-limit and x-ratelimit-remaining are integers of at least 0, and x-ratelimit-reset is a number of at least 0",
  clauses: [clause["LIMIT-38"]],
  applies: onResponse(({ headers }) => RATE_HEADERS.some((name) => headers[name] !== undefined)),
  fault: faultInResponse(({ headers }, { operation }) => {
    const wrong = RATE_HEADERS.find(
      (name) => headers[name] !== undefined && !FORM_OF[name].test(headers[name] ?? ""),
    );
    if (wrong === undefined) return undefined;
    const form = wrong === "x-ratelimit-reset" ? "a number" : "an integer";
    return `${wrong} of the response to ${operation} is "${headers[wrong]}", not ${form} of at least 0`;
  }),
});

/** The rate limit per integrator (specification, "Limits"). */
const INTEGRATOR_LIMIT = 1200;

const integratorLimit = passiveCheck({
  id: "passive.rate-limit-of-integrator",
  title: "x-ratelimit-limit on a request with a token is 1200",
  clauses: [clause["LIMIT-39"]],
  applies: onResponse(
    (response, { operation: id, requestHeaders }) =>
      isSuccess(response) &&
      !operationById(id).anonymous &&
      requestHeaders.authorization !== undefined &&
      response.headers["x-ratelimit-limit"] !== undefined,
  ),
  fault: faultInResponse(({ headers }, { operation: id }) =>
    Number.parseInt(headers["x-ratelimit-limit"] ?? "", 10) === INTEGRATOR_LIMIT
      ? undefined
      : `x-ratelimit-limit of the response to ${id} is ${headers["x-ratelimit-limit"]}, not ${INTEGRATOR_LIMIT}`,
  ),
});

/** The limit of requests without a token, and that of the endpoint if it has one (OPEN-174, OPEN-225). */
const LIMITS_WITHOUT_TOKEN: Readonly<Record<string, readonly number[]>> = {
  getHealth: [300],
  obtainToken: [30, 300],
  getTracking: [60, 300],
};

const limitWithoutToken = passiveCheck({
  id: "passive.rate-limit-without-token",
  title: "x-ratelimit-limit on a request without a token is 300, or the limit of its endpoint",
  clauses: [clause["LIMIT-46"]],
  applies: onResponse(
    (response, { operation: id, requestHeaders }) =>
      isSuccess(response) &&
      id in LIMITS_WITHOUT_TOKEN &&
      requestHeaders.authorization === undefined &&
      response.headers["x-ratelimit-limit"] !== undefined,
  ),
  fault: faultInResponse(({ headers }, { operation: id }) => {
    const limits = LIMITS_WITHOUT_TOKEN[id] ?? [];
    const shown = headers["x-ratelimit-limit"] ?? "";
    return limits.includes(Number.parseInt(shown, 10))
      ? undefined
      : `x-ratelimit-limit of the response to ${id} without a token is ${shown}, not ${limits.join(" or ")}`;
  }),
});

/** The minute that the limit is counted over, plus a tolerance of 5 s. */
const MAX_RESET_S = 65;
/**
 * Unix seconds of the years 2001 to 2286. A larger number is in milliseconds, and a smaller number is a
 * duration.
 */
const UNIX_SECONDS = { from: 1e9, to: 1e10 };

const resetInSeconds = passiveCheck({
  id: "passive.rate-reset-in-seconds",
  title: "x-ratelimit-reset is at most 60 seconds, or a Unix time in seconds",
  clauses: [clause["LIMIT-44"]],
  applies: onResponse(({ headers }) => /^\d+(\.\d+)?$/.test(headers["x-ratelimit-reset"] ?? "")),
  fault: faultInResponse(({ headers }, { operation }) => {
    const reset = Number(headers["x-ratelimit-reset"]);
    if (reset <= MAX_RESET_S || (reset >= UNIX_SECONDS.from && reset < UNIX_SECONDS.to)) return undefined;
    return `x-ratelimit-reset of the response to ${operation} is ${reset}: neither at most 60 seconds nor a Unix time`;
  }),
});

/** One minute, plus a second for rounding up. */
const MAX_WAIT_S = 61;
/** Added to the maximum for a date, because HTTP dates are in whole seconds. */
const DATE_RESOLUTION_S = 1;
/**
 * A numeric retry-after this close to the current time in Unix seconds is a time; any other number is a duration
 * (OPEN-221).
 */
const CLOCK_MARGIN_S = 300;

const retryAfterOf = ({ headers }: ExchangeResponse): string => headers["retry-after"]?.trim() ?? "";

const isNumber = (header: string): boolean => /^\d+(\.\d+)?$/.test(header);

/**
 * The seconds that a 429's retry-after asks to wait; undefined for an invalid value. A date or Unix time may be
 * on the Date header's clock, in real time, or on the integrator's advanced clock, so the shortest of these
 * waits is returned.
 */
function retryAfterSeconds(response: ExchangeResponse, exchange: Exchange): number | undefined {
  const { headers } = response;
  const header = retryAfterOf(response);
  const value = isNumber(header) ? Number(header) : Date.parse(header) / 1000;
  if (Number.isNaN(value)) return undefined;
  const { startedAt, durationMs, clockOffsetMs = 0 } = exchange;
  const answeredAtMs = startedAt + durationMs;
  const clocks = [Date.parse(headers.date ?? ""), answeredAtMs, answeredAtMs + clockOffsetMs];
  const [remaining = value] = clocks
    .map((now) => value - now / 1000)
    .filter(Number.isFinite)
    .toSorted((a, b) => Math.abs(a) - Math.abs(b));
  return !isNumber(header) || Math.abs(remaining) < CLOCK_MARGIN_S ? remaining : value;
}

const hasRetryAfter = onResponse(
  ({ status, headers }) => status === 429 && headers["retry-after"] !== undefined,
);

/** Longer than any wait for a limit per minute, in seconds. In milliseconds, most of these waits are longer. */
const MAX_PLAUSIBLE_WAIT_S = 3_600;

const retryAfterInSeconds = passiveCheck({
  id: "passive.retry-after-in-seconds",
  title: "retry-after of a 429 is in seconds: at most an hour",
  clauses: [clause["LIMIT-45"]],
  applies: hasRetryAfter,
  fault: faultInResponse((response, exchange) => {
    const wait = retryAfterSeconds(response, exchange);
    return wait === undefined || wait <= MAX_PLAUSIBLE_WAIT_S
      ? undefined
      : `the 429 response to ${exchange.operation} has "retry-after: ${response.headers["retry-after"]}": a wait of ${Math.round(wait)} s for a limit per minute`;
  }),
});

const waitOfAMinute = passiveCheck({
  id: "passive.retry-after-within-the-minute",
  title: "retry-after of a 429 is at most 60 seconds",
  clauses: [clause["LIMIT-43"]],
  applies: hasRetryAfter,
  fault: faultInResponse((response, exchange) => {
    const { operation } = exchange;
    const wait = retryAfterSeconds(response, exchange);
    const isDate = !isNumber(retryAfterOf(response));
    const maxWait = isDate ? MAX_WAIT_S + DATE_RESOLUTION_S : MAX_WAIT_S;
    return wait === undefined || wait <= maxWait
      ? undefined
      : `the 429 response to ${operation} has "retry-after: ${response.headers["retry-after"]}": a wait of ${Math.round(wait)} s, longer than the minute of the limit`;
  }),
});

export const passiveLimitsChecks: readonly PassiveCheck[] = [
  headersOnSuccess,
  headersOnRefusal,
  headersAreIntegers,
  resetInSeconds,
  integratorLimit,
  limitWithoutToken,
  retryAfterInSeconds,
  waitOfAMinute,
];
