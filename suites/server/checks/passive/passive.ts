import { clause } from "../../../../openapi/generated/clauses.ts";
import { partsOfTime } from "../../../core/contract/resource-fields.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { isObject } from "../../../core/json.ts";
import { ambiguousJson, jsonBytesFault } from "../../../core/json-bytes.ts";
import { isRefusal, isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { bytesFaultOf, schemaFaultOf, tokenFaultOf } from "../../evidence/schema-failure.ts";
import { passiveCodesChecks } from "./passive-codes.ts";
import { passiveLimitsChecks } from "./passive-limits.ts";
import { passiveOrdersChecks } from "./passive-orders.ts";
import { passiveSchemasChecks } from "./passive-schemas.ts";
import { passiveWebhooksChecks } from "./passive-webhooks.ts";
import { faultInResponse, onResponse } from "./responses.ts";
import { membersShown, showsResource } from "./shown-resources.ts";

/** A time in a response: `2026-11-21T10:00:00Z`, with or without a fraction of a second (OPEN-8). */
const UTC_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?Z$/;

const errorBody = passiveCheck({
  id: "passive.error-body",
  title: "every error response except 415 has a body with error.code and error.message, both strings",
  clauses: [clause["ERR-1"]],
  applies: onResponse((response) => isRefusal(response) && response.status !== 415 && response.status < 500),
  fault: faultInResponse(({ json, status }, { operation }) => {
    const error = isObject(json) ? json.error : undefined;
    if (!isObject(error)) return `the ${status} response to ${operation} has no error object`;
    const wrong = ["code", "message"].find((key) => typeof error[key] !== "string");
    return (
      wrong && `error.${wrong} of the ${status} response to ${operation} is ${JSON.stringify(error[wrong])}`
    );
  }),
  commonCause: bytesFaultOf,
});

const errorMessage = passiveCheck({
  id: "passive.error-message",
  title: "error.message is never empty",
  clauses: [clause["ERR-2"]],
  applies: onResponse(
    ({ json }) => isObject(json) && isObject(json.error) && typeof json.error.message === "string",
  ),
  fault: faultInResponse(({ json, status }, { operation }) => {
    const error = isObject(json) ? json.error : undefined;
    const hasMessage = isObject(error) && typeof error.message === "string" && error.message.trim() !== "";
    return hasMessage ? undefined : `the ${status} response to ${operation} has an empty error.message`;
  }),
});

const jsonBodies = passiveCheck({
  id: "passive.bodies-are-json",
  title: "every body is JSON, except photos and the bodies of 415 and 5xx",
  clauses: [clause["GEN-1"]],
  // A 415 may have any body (OPEN-2), and a 5xx may come from a proxy (OPEN-219).
  applies: onResponse(
    (response, { operation }) =>
      response.text !== "" &&
      response.status !== 415 &&
      response.status < 500 &&
      !(operation === "getProof" && isSuccess(response)),
  ),
  fault: faultInResponse(({ bytes, json, status }, { operation }) => {
    const fault = jsonBytesFault(bytes, json);
    return fault && `the ${status} response to ${operation} ${fault.what}`;
  }),
  commonCause: bytesFaultOf,
});

const JSON_TYPE = /^\s*(application|text)\/([\w.+-]+\+)?json\s*(;|$)/i;
const mediaTypeOf = ({ headers }: Pick<ExchangeResponse, "headers">): string => headers["content-type"] ?? "";

const declaredJson = passiveCheck({
  id: "passive.declared-as-json",
  title: "a response with a JSON body declares a JSON content type",
  clauses: [clause["GEN-16"]],
  // The body and the type of a 415 are unspecified (OPEN-2).
  applies: onResponse((response) => response.json !== undefined && response.status !== 415),
  fault: faultInResponse((response, { operation }) => {
    const type = mediaTypeOf(response);
    return type === "" || JSON_TYPE.test(type)
      ? undefined
      : `the ${response.status} response to ${operation} declares JSON as ${type}`;
  }),
  commonCause: ({ response }) => response && `a response declares JSON as ${mediaTypeOf(response)}`,
});

const unambiguousJson = passiveCheck({
  id: "passive.unambiguous-json",
  title: "JSON in responses has no duplicate field names and no lone surrogates",
  clauses: [clause["GEN-15"]],
  applies: onResponse(({ json }) => json !== undefined),
  fault: faultInResponse(({ json, status, text }, { operation }) => {
    const fault = ambiguousJson(text, json);
    return fault && `the ${status} response to ${operation} ${fault}`;
  }),
});

const noRefreshToken = passiveCheck({
  id: "passive.no-refresh-token",
  title: "no refresh token is issued",
  clauses: [clause["AUTH-3"]],
  applies: onResponse((response, { operation }) => operation === "obtainToken" && isSuccess(response)),
  fault: faultInResponse(({ json }) =>
    isObject(json) && (json.refresh_token ?? null) !== null
      ? "the token endpoint issued a refresh_token"
      : undefined,
  ),
});

const validTokens = passiveCheck({
  id: "passive.valid-tokens",
  title: "no request with a token that was accepted before and isn't about to expire gets 401",
  clauses: [clause["AUTH-4"]],
  applies: ({ requestHeaders, response, violates }) =>
    response !== undefined && violates === undefined && requestHeaders.authorization !== undefined,
  fault: (exchange) =>
    exchange.refusesValidToken &&
    `${exchange.operation} returned 401 for a token that it had accepted before and that hasn't expired`,
  isDoubtfulAfterOutage: true,
  commonCause: tokenFaultOf,
});

const noServerErrors = passiveCheck({
  id: "passive.no-5xx",
  title: "no request, valid or not, gets a 5xx status",
  clauses: [clause["ERR-29"]],
  applies: onResponse(() => true),
  fault: faultInResponse(({ status }, { operation }) =>
    status >= 500 ? `${operation} answered ${status}` : undefined,
  ),
});

const isInstantKey = (key: string) =>
  key.endsWith("_at") || ["scheduled_for", "timestamp", "failing_since"].includes(key);

function nonUtcTime(value: unknown, path = ""): string | undefined {
  if (Array.isArray(value)) {
    return value.map((entry, i) => nonUtcTime(entry, `${path}[${i}]`)).find((fault) => fault !== undefined);
  }
  if (!isObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const memberPath = path ? `${path}.${key}` : key;
    if (isInstantKey(key) && typeof member === "string" && !UTC_INSTANT.test(member))
      return `${memberPath} is ${member}`;
    const nested = nonUtcTime(member, memberPath);
    if (nested) return nested;
  }
  return undefined;
}

const timesShown = (exchange: Exchange, times: readonly string[]): readonly string[] =>
  times.filter((time) => {
    const { resource, member } = partsOfTime(time);
    return showsResource(exchange.operation, resource) && membersShown(exchange, [member]).length > 0;
  });

const timesInUtc = passiveCheck({
  id: "passive.times-in-utc",
  title: "every time in a response is in UTC and ends in Z",
  clauses: [clause["GEN-14"]],
  applies: onResponse((response) => isSuccess(response) && typeof response.json === "object"),
  coverage: { sets: ["times-in-responses"], elements: timesShown },
  fault: faultInResponse(({ json }, { operation }) => {
    const fault = nonUtcTime(json);
    return fault && `in the response to ${operation}, ${fault}`;
  }),
  commonCause: schemaFaultOf,
});

export const passiveChecks: readonly PassiveCheck[] = [
  ...passiveLimitsChecks,
  jsonBodies,
  errorBody,
  errorMessage,
  declaredJson,
  unambiguousJson,
  ...passiveCodesChecks,
  ...passiveWebhooksChecks,
  noRefreshToken,
  validTokens,
  noServerErrors,
  timesInUtc,
  ...passiveSchemasChecks,
  ...passiveOrdersChecks,
];
