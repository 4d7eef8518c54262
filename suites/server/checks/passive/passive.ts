import { clause } from "../../../../openapi/generated/clauses.ts";
import { operationById } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { partsOfTime } from "../../../core/contract/resource-fields.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isObject } from "../../../core/json.ts";
import { isRefusal, isSuccess } from "../../../core/responses.ts";
import { UTC_INSTANT } from "../../support/formats.ts";
import { type PassiveCheck, passiveCheck } from "../define.ts";
import { passiveCodesChecks } from "./passive-codes.ts";
import { passiveSchemasChecks } from "./passive-schemas.ts";
import { passiveWebhooksChecks } from "./passive-webhooks.ts";
import { faultInResponse, onResponse, type ResponseFault } from "./responses.ts";
import { membersShown, showsResource } from "./shown-resources.ts";

const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

const missingHeaders: ResponseFault = ({ headers, status }, { operation }) => {
  const missing = RATE_HEADERS.filter((name) => headers[name] === undefined);
  return missing.length > 0 ? `the ${status} answer to ${operation} lacks ${missing.join(", ")}` : undefined;
};

const headersOnSuccess = passiveCheck({
  id: "passive.rate-headers-on-success",
  title: "every success carries x-ratelimit-limit, x-ratelimit-remaining and x-ratelimit-reset",
  clauses: [clause["LIMIT-35"]],
  mutants: [
    "rate-headers-missing-on-201",
    "rate-headers-missing-on-204",
    "rate-headers-missing-without-token",
  ],
  applies: onResponse(isSuccess),
  fault: faultInResponse(missingHeaders),
});

const headersOnRefusal = passiveCheck({
  id: "passive.rate-headers-on-refusal",
  title: "every refusal carries the three rate headers",
  clauses: [clause["LIMIT-36"]],
  mutants: ["rate-headers-missing-on-401", "rate-headers-missing-on-404", "rate-headers-missing-on-415"],
  applies: onResponse((response) => isRefusal(response) && response.status < 500),
  fault: faultInResponse(missingHeaders),
});

const headersAreIntegers = passiveCheck({
  id: "passive.rate-headers-are-integers",
  title:
    "limit and remaining are integers of at least 0, and reset is a number of seconds that isn't below 0",
  clauses: [clause["LIMIT-38"]],
  mutants: ["rate-reset-is-a-time", "rate-remaining-below-zero"],
  applies: onResponse(({ headers }) => RATE_HEADERS.some((name) => headers[name] !== undefined)),
  fault: faultInResponse(({ headers }) => {
    // Whether the seconds are whole ones isn't said.
    const formOf = (name: string) => (name === "x-ratelimit-reset" ? /^\d+(\.\d+)?$/ : /^\d+$/);
    const wrong = RATE_HEADERS.find(
      (name) => headers[name] !== undefined && !formOf(name).test(headers[name] ?? ""),
    );
    return wrong && `${wrong} is ${headers[wrong]}`;
  }),
});

const errorBody = passiveCheck({
  id: "passive.error-body",
  title: "every refusal, 415 aside, has a body with error.code and error.message, both strings",
  clauses: [clause["ERR-1"]],
  mutants: ["error-body-is-flat", "error-without-message"],
  applies: onResponse((response) => isRefusal(response) && response.status !== 415 && response.status < 500),
  fault: faultInResponse(({ json, status }, { operation }) => {
    const error = isObject(json) ? json.error : undefined;
    if (!isObject(error)) return `the ${status} answer to ${operation} has no error object`;
    const wrong = ["code", "message"].find((key) => typeof error[key] !== "string");
    return (
      wrong && `error.${wrong} of the ${status} answer to ${operation} is ${JSON.stringify(error[wrong])}`
    );
  }),
});

const errorMessage = passiveCheck({
  id: "passive.error-message",
  title: "no refusal's error.message is empty",
  clauses: [clause["ERR-2"]],
  mutants: ["error-message-is-empty"],
  applies: onResponse(
    ({ json }) => isObject(json) && isObject(json.error) && typeof json.error.message === "string",
  ),
  fault: faultInResponse(({ json, status }, { operation }) => {
    const error = isObject(json) ? json.error : undefined;
    const said = isObject(error) && typeof error.message === "string" && error.message.trim() !== "";
    return said ? undefined : `the ${status} answer to ${operation} has an empty error.message`;
  }),
});

const jsonBodies = passiveCheck({
  id: "passive.bodies-are-json",
  title: "whatever body an answer has is JSON; photos, 415 and server errors aside",
  clauses: [clause["GEN-1"]],
  mutants: ["areas-as-text", "refusals-as-text"],
  // A 415 may have any body (OPEN-2), and a 5xx may come from something in front of the service (OPEN-219).
  applies: onResponse(
    (response, { operation }) =>
      response.text !== "" &&
      response.status !== 415 &&
      response.status < 500 &&
      !(operation === "getProof" && isSuccess(response)),
  ),
  fault: faultInResponse(({ json, status, text }, { operation }) =>
    json === undefined
      ? `the ${status} answer to ${operation} begins with ${JSON.stringify(text.slice(0, 60))}`
      : undefined,
  ),
});

const noRefreshToken = passiveCheck({
  id: "passive.no-refresh-token",
  title: "no refresh token is handed out",
  clauses: [clause["AUTH-3"]],
  mutants: ["refresh-token-handed-out"],
  applies: onResponse((response, { operation }) => operation === "obtainToken" && isSuccess(response)),
  fault: faultInResponse(({ json }) =>
    isObject(json) && (json.refresh_token ?? null) !== null
      ? "the token endpoint gave a refresh_token"
      : undefined,
  ),
});

/** Limits: with an integrator's token, in a minute. */
const IDENTITY_LIMIT = "1200";

const limitOfIdentity = passiveCheck({
  id: "passive.rate-limit-of-identity",
  title: "x-ratelimit-limit on a request with a token is 1200",
  clauses: [clause["LIMIT-39"]],
  mutants: ["rate-limit-header-of-the-address"],
  applies: onResponse(
    (response, { operation: id, requestHeaders }) =>
      isSuccess(response) &&
      !operationById(id).anonymous &&
      requestHeaders.authorization !== undefined &&
      response.headers["x-ratelimit-limit"] !== undefined,
  ),
  fault: faultInResponse(({ headers }, { operation: id }) =>
    headers["x-ratelimit-limit"] === IDENTITY_LIMIT
      ? undefined
      : `x-ratelimit-limit of the answer to ${id} is ${headers["x-ratelimit-limit"]}`,
  ),
});

const noServerErrors = passiveCheck({
  id: "passive.no-5xx",
  title: "no request of the run, valid or not, is answered with a 5xx status",
  clauses: [clause["ERR-29"]],
  mutants: ["bad-cursor-answers-500"],
  applies: onResponse(() => true),
  fault: faultInResponse(({ status }, { operation }) =>
    status >= 500 ? `${operation} answered ${status}` : undefined,
  ),
});

/** Members that are instants by the specification: everything that ends in `_at`, and three more. */
const isInstantKey = (key: string) =>
  key.endsWith("_at") || ["scheduled_for", "timestamp", "failing_since"].includes(key);

function badInstant(value: unknown, at = ""): string | undefined {
  if (Array.isArray(value)) {
    return value.map((entry, i) => badInstant(entry, `${at}[${i}]`)).find((found) => found !== undefined);
  }
  if (!isObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const place = at ? `${at}.${key}` : key;
    if (isInstantKey(key) && typeof member === "string" && !UTC_INSTANT.test(member))
      return `${place} is ${member}`;
    const inside = badInstant(member, place);
    if (inside) return inside;
  }
  return undefined;
}

const timesShown = (exchange: Exchange): readonly string[] =>
  elementsOf("times-in-answers").filter((time) => {
    const { resource, member } = partsOfTime(time);
    return showsResource(exchange.operation, resource) && membersShown(exchange, [member]).length > 0;
  });

const timesInUtc = passiveCheck({
  id: "passive.times-in-utc",
  title: "every time in an answer is in UTC and ends in Z",
  clauses: [clause["GEN-14"]],
  mutants: [
    "cancelled-at-with-offset",
    "assigned-at-without-zone",
    "quote-times-without-zone",
    ...elementsOf("times-in-answers").map((time) => `${time}-without-a-zone` as const),
  ],
  applies: onResponse((response) => isSuccess(response) && typeof response.json === "object"),
  over: { set: "times-in-answers", elements: timesShown },
  fault: faultInResponse(({ json }, { operation }) => {
    const found = badInstant(json);
    return found && `in the answer to ${operation}, ${found}`;
  }),
});

/** Looks at every exchange of a run, whatever it was sent for. */
export const passiveChecks: readonly PassiveCheck[] = [
  headersOnSuccess,
  headersOnRefusal,
  headersAreIntegers,
  errorBody,
  errorMessage,
  jsonBodies,
  ...passiveCodesChecks,
  ...passiveWebhooksChecks,
  noRefreshToken,
  limitOfIdentity,
  noServerErrors,
  timesInUtc,
  ...passiveSchemasChecks,
];
