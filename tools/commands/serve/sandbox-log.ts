import { faultWords as causeOf } from "../../../sandbox/console/faults.ts";
import type { AttemptReport } from "../../../sandbox/operator/attempt-reports.ts";
import type { AnsweredRequest } from "../../../sandbox/records/request-log.ts";
import type { ServeSettings } from "./settings.ts";

/** The specification's time limit for a webhook response. */
const ANSWER_SECONDS = 15;
const MAX_ATTEMPTS = 8;

/** A line about a delivery attempt. @param hasEndpoint true to name the endpoint, if there are several */
export function attemptLine(attempt: AttemptReport, hasEndpoint: boolean): string {
  const { type, version, externalRef, outcome, took, eventId, url } = attempt;
  const subject = externalRef === null ? "" : ` of order ${externalRef}, version ${version}`;
  const answer =
    "status" in outcome
      ? `${outcome.status}${statusRemark(outcome.status)} in ${took} ms`
      : faultWords(outcome.fault);
  const endpoint = hasEndpoint ? `  ->  ${url}` : "";
  return `${type}${subject}${endpoint}  ->  ${answer}${nextStep(attempt)}  (webhook-id ${eventId})`;
}

/** A hint about the most common cause of a status. */
function statusRemark(status: number): string {
  if (status === 401) return " (does it verify with the secret above?)";
  if (status === 404) return " (is the path right?)";
  if (status >= 300 && status < 400) return " (redirects aren't followed)";
  return "";
}

function faultWords(fault: string): string {
  if (fault === "not answered in time") return `no response within ${ANSWER_SECONDS} s`;
  const cause = causeOf(fault);
  return cause === undefined ? `no response (${fault})` : `no response: ${cause}`;
}

function nextStep({ isDelivered, closes, attempt, nextIn, isCopy }: AttemptReport): string {
  if (isCopy) return ", a copy";
  if (isDelivered) return attempt === 1 ? "" : `, attempt ${attempt}`;
  if (closes) return "; that disables the endpoint: restart the sandbox to enable it";
  if (nextIn === undefined) return `; attempt ${attempt} was the last`;
  return `; attempt ${attempt} of ${MAX_ATTEMPTS}, next attempt in ${durationText(nextIn)}`;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function requestLine({ method, path, status, code, tookMs }: AnsweredRequest): string {
  const error = code === null ? "" : ` ${code}`;
  return `${method} ${path}  ->  ${status}${error} in ${Math.round(tookMs)} ms`;
}

interface SandboxLog {
  request(request: AnsweredRequest): void;
  attempt(attempt: AttemptReport): void;
}

/** Prints requests and delivery attempts. Without --logs, it prints only attempts to forward events. */
export function sandboxLog(
  { logs, forwarding }: Pick<ServeSettings, "logs" | "forwarding">,
  print: (line: string) => void,
): SandboxLog {
  const urls = forwarding?.urls ?? [];
  const isNamed = logs !== "none" || urls.length > 1;
  return {
    request(request) {
      const isWanted = logs === "all" || (logs === "errors" && request.status >= 400);
      if (isWanted) print(requestLine(request));
    },
    attempt(attempt) {
      const isWanted = logs === "none" ? urls.includes(attempt.url) : logs === "all" || !attempt.isDelivered;
      if (isWanted) print(attemptLine(attempt, isNamed));
    },
  };
}
