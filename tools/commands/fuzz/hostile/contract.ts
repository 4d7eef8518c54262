/** Compares the responses of a hostile target with a contract, independently of the contract library. */
import { readFileSync, writeFileSync } from "node:fs";
import { isObject, member, parseJson, textOf } from "../../../../suites/core/json.ts";

const OWN_PACT = new URL("../../../../suites/server/pact/point-of-sale.json", import.meta.url);
/** The header that marks requests of the contract's interactions. Requests that prepare their states don't have it. */
export const MARK = "x-expectation";

/** A complete HTTP response as the target sent it. */
export interface SentResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A response to one of the contract's requests. */
export interface MarkedResponse {
  /** The number of the interaction in the contract. */
  readonly mark: string;
  /** The name of the attack; undefined for an unchanged response. */
  readonly attack: string | undefined;
  /** True if the response contradicts the contract. */
  readonly isContrary: boolean;
}

/**
 * The attacks after which a client may still get a correct response: a client may follow redirects, and may repeat a
 * request after an idle connection was closed.
 */
const REPEATED = ["reset", "redirects-to-itself"];

const pact = parseJson(readFileSync(OWN_PACT, "utf8"));
const list = member(pact, "interactions");
const interactions: readonly unknown[] = Array.isArray(list) ? list : [];
const nameOf = (interaction: unknown): string => textOf(member(interaction, "description"));

/** Writes the suite's own contract with a mark in each request. */
export function writePactWithMarkedRequests(file: string): void {
  const marked = interactions.map((interaction, index) => {
    const request = member(interaction, "request");
    if (!isObject(interaction) || !isObject(request)) return interaction;
    const headers = { ...Object(request.headers), [MARK]: [String(index)] };
    return { ...interaction, request: { ...request, headers } };
  });
  writeFileSync(file, JSON.stringify({ ...Object(pact), interactions: marked }));
}

const SUCCESSES = { first: 200, last: 299 };

type Rules = Readonly<Record<string, unknown>>;

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** True if a value breaks a matcher. */
function breaks(actual: unknown, expected: unknown, matcher: unknown): boolean {
  const kind = member(matcher, "match");
  if (kind === "integer") return !Number.isInteger(actual);
  if (kind === "regex") return !new RegExp(textOf(member(matcher, "regex"))).test(textOf(actual));
  if (kind !== "type") throw new Error(`the contract has an unknown matcher: ${textOf(kind)}`);
  const least = member(matcher, "min");
  const isTooShort = typeof least === "number" && Array.isArray(actual) && actual.length < least;
  return kindOf(actual) !== kindOf(expected) || isTooShort;
}

/** True if a value differs from the contract's value. Additional members are allowed. */
function differs(actual: unknown, expected: unknown, path: string, rules: Rules): boolean {
  const matchers = member(rules[path], "matchers");
  const isMatched = Array.isArray(matchers);
  if (isMatched && matchers.some((one) => breaks(actual, expected, one))) return true;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return true;
    return actual.some((one) => differs(one, expected[0], `${path}[*]`, rules));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return true;
    return Object.entries(expected).some(([key, value]) =>
      differs(actual[key], value, `${path}.${key}`, rules),
    );
  }
  return !isMatched && actual !== expected;
}

const mediaType = (contentType: string): string => contentType.split(";")[0]?.trim().toLowerCase() ?? "";

/**
 * True if a response contradicts the contract's interaction.
 * @param sent undefined if the target sent no complete HTTP response
 */
export function contradicts(mark: string, sent: SentResponse | undefined): boolean {
  const expected = member(interactions[Number(mark)], "response");
  if (sent === undefined) return true;
  const anySuccess = member(expected, "matchingRules", "status") !== undefined;
  const isStatus = anySuccess
    ? sent.status >= SUCCESSES.first && sent.status <= SUCCESSES.last
    : sent.status === member(expected, "status");
  if (!isStatus) return true;
  const body = member(expected, "body", "content");
  if (body === undefined) return false;
  const rules = Object(member(expected, "matchingRules", "body"));
  const json = parseJson(sent.body);
  return mediaType(sent.contentType) !== "application/json" || differs(json, body, "$", rules);
}

/**
 * Why a verification of the contract must not pass: an interaction wasn't requested, or an attack contradicts the
 * interaction and no later response was correct.
 */
export function contradictionsIn(responses: readonly MarkedResponse[]): readonly string[] {
  const marks = new Set(responses.map(({ mark }) => mark));
  const unseen = interactions.filter(
    (interaction, index) => isObject(member(interaction, "request")) && !marks.has(String(index)),
  );
  const contrary = responses.filter(({ mark, attack, isContrary }, index) => {
    if (attack === undefined || !isContrary) return false;
    const next = responses.slice(index + 1).find((one) => one.mark === mark);
    return !(REPEATED.includes(attack) && next?.isContrary === false);
  });
  return [
    ...unseen.map((interaction) => `${nameOf(interaction)}: not requested`),
    ...contrary.map(({ mark, attack }) => `${nameOf(interactions[Number(mark)])}: ${attack}`),
  ];
}
