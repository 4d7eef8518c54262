import { inUnits } from "../../core/durations.ts";
import {
  type Exchange,
  type ExchangeResponse,
  missingResponse,
  type TextBounds,
  truncate,
} from "../../core/exchange.ts";
import { isObject, member, parseJson, textOf } from "../../core/json.ts";
import { codeOf } from "../../core/responses.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { withShortParameters } from "../../core/text/short-parameters.ts";
import { describeAttempt } from "../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";
import type { TraceStep } from "./trace.ts";

/** The number of listed steps. */
const MAX_STEPS = 16;
/** The bounds of a request line: the path with all parameters, each shortened. */
const REQUEST_LINE_BOUNDS: TextBounds = { read: 16_384, shown: 260 };
/** The bounds of a response line. The target's codes and states may have any length. */
const RESPONSE_LINE_BOUNDS: TextBounds = { read: 16_384, shown: 160 };

/** The shown number of a subscription's event types. */
const MAX_EVENT_TYPES = 4;

/** The shown length of a text in a PATCH. */
const LONGEST_TEXT = 32;
const LONGER_TEXT = new RegExp(`(?<=: )("(?:[^"\\\\]|\\\\.){${LONGEST_TEXT}})(?:[^"\\\\]|\\\\.)+"`, "g");

/** A request line with shortened parameters and texts. A shortened text has its length, which may be its point. */
const shortened = (asked: string): string =>
  withShortParameters(asked).replace(LONGER_TEXT, (text, start: string) => {
    const value = parseJson(text);
    return `${start}…"${typeof value === "string" ? ` (${[...value].length} characters)` : ""}`;
  });

type ControlledStep = Extract<TraceStep, { readonly control: unknown }>;

/** A check's actions that aren't requests to the service. */
export interface OtherSteps {
  readonly inboxes: readonly Inbox[];
  readonly trace: readonly TraceStep[];
}

interface Step {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly asked: string;
  readonly answer: string;
}

/** The ids of a list's first and last entry. */
function endsOf(list: readonly unknown[]): string {
  const [first, last] = [list[0], list.at(-1)].map((entry) => member(entry, "id"));
  if (typeof first !== "string" || typeof last !== "string") return "";
  return list.length === 1 ? `: ${first}` : `: from ${first} to ${last}`;
}

/** The distinctive part of a response: a code, the number of entries with the first and the last, a status. */
function summaryOf(response: ExchangeResponse): string {
  const code = codeOf(response);
  if (code !== undefined) return ` ${code}`;
  const { json } = response;
  const list = Array.isArray(json)
    ? json
    : isObject(json)
      ? Object.values(json).find(Array.isArray)
      : undefined;
  if (isObject(json) && typeof json.status === "string") return ` ${json.status}`;
  return list === undefined
    ? ""
    : `, ${list.length} ${list.length === 1 ? "entry" : "entries"}${endsOf(list)}`;
}

const assignment = (name: string, value: unknown): string => `${name}: ${JSON.stringify(value)}`;

/** The event types of a new subscription, on which the later webhooks depend. */
function eventTypesOf({ event_types }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(event_types)) return "";
  const [shown, rest] = [event_types.slice(0, MAX_EVENT_TYPES), event_types.slice(MAX_EVENT_TYPES)];
  return ` {event_types: ${shown.map(textOf).join(", ")}${rest.length > 0 ? ` and ${rest.length} more` : ""}}`;
}

/** The changes in a PATCH, or the event types in a POST. */
function changesOf({ method, requestBody }: Exchange): string {
  const body = requestBody === undefined ? undefined : parseJson(requestBody);
  if (!isObject(body)) return "";
  if (method === "POST") return eventTypesOf(body);
  if (method !== "PATCH") return "";
  const changes = Object.entries(body).flatMap(([name, value]) =>
    name === "customer" && isObject(value)
      ? Object.entries(value).map(([inner, innerValue]) => assignment(`${name}.${inner}`, innerValue))
      : assignment(name, value),
  );
  return ` {${changes.join(", ")}}`;
}

function stepOf(exchange: Exchange, baseUrl: string): Step {
  const { method, url, sender, violates, response, failure, startedAt } = exchange;
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  const onPurpose = violates === undefined ? "" : ` (invalid on purpose: ${violates})`;
  const answer = `${response ? `${response.status}${summaryOf(response)}` : missingResponse(failure)}${onPurpose}`;
  const by = sender === undefined ? "" : ` by ${sender}`;
  return { at: startedAt, asked: `${method} ${path}${changesOf(exchange)}${by}`, answer };
}

const arrivals = (inbox: Inbox): readonly Step[] =>
  inbox.attempts.map((attempt, index) => ({
    at: attempt.receivedAt,
    asked: `webhook ${describeAttempt(attempt)}${inbox.place}`,
    answer: String(inbox.statuses[index] ?? "no response, on purpose"),
  }));

/** A courier action or a clock advance, on which later steps depend. */
const controlStep = ({ control: { method, path, body }, at, isRefused }: ControlledStep): Step => ({
  at,
  asked: `control ${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`,
  answer: isRefused === true ? "refused" : "done",
});

const isSame = (one: Step, other: Step): boolean => one.asked === other.asked && one.answer === other.answer;

/** True for a repeated poll with the same response. Reports show only the first and the last of equal polls. */
export const isSamePoll = (one: Exchange, other: Exchange): boolean =>
  one.method === "GET" && one.url === other.url && isSame(stepOf(one, ""), stepOf(other, ""));

/** Merges equal consecutive steps. Secrets are redacted before texts are cut. */
function mergedLines(steps: readonly Step[], redact: Redactor): readonly string[] {
  const runs: { readonly step: Step; until: number | undefined }[] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && isSame(last.step, step)) last.until = step.at;
    else runs.push({ step, until: undefined });
  }
  const asked = (text: string) =>
    truncate(text, (whole) => shortened(redact.text(whole)), REQUEST_LINE_BOUNDS);
  const answered = (text: string) => truncate(text, (whole) => redact.text(whole), RESPONSE_LINE_BOUNDS);
  return runs.map(({ step, until }) => {
    const line = `${asked(step.asked)} → ${answered(step.answer)}`;
    if (until === undefined) return line;
    const seconds = (until - step.at) / 1000;
    return `${line} (repeated${seconds >= 1 ? `, for ${inUnits(seconds)}` : ""})`;
  });
}

/**
 * The steps of a check up to its failure: requests, control calls and webhooks, one line each. A single step
 * needs no transcript.
 * @param exchanges the exchanges up to the failing exchange
 * @param end the time of the failure, as Unix time in milliseconds
 */
export function transcriptOf(
  exchanges: readonly Exchange[],
  { inboxes, trace }: OtherSteps,
  { baseUrl, redact, end }: { readonly baseUrl: string; readonly redact: Redactor; readonly end: number },
): readonly string[] {
  const asked = exchanges.map((exchange) => stepOf(exchange, baseUrl));
  const controlSteps = trace.flatMap((step) => ("control" in step ? [controlStep(step)] : []));
  const otherSteps = [...inboxes.flatMap(arrivals), ...controlSteps].filter(({ at }) => at <= end);
  const lines = mergedLines(
    [...asked, ...otherSteps].toSorted((one, other) => one.at - other.at),
    redact,
  );
  if (lines.length < 2) return [];
  const shown = lines.slice(-MAX_STEPS);
  const earlierCount = lines.length - shown.length;
  return earlierCount > 0
    ? [`${earlierCount} earlier ${earlierCount === 1 ? "step" : "steps"}`, ...shown]
    : shown;
}
