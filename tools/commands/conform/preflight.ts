import { randomUUID } from "node:crypto";
import { monotonicNow, timerMs } from "../../../suites/core/clock.ts";
import { ControlClient, ControlRefusal } from "../../../suites/core/control.ts";
import { CheckSkipped } from "../../../suites/core/grading/failures/failure.ts";
import { type Connections, openConnections, sendRequest } from "../../../suites/core/http/connections.ts";
import { FETCH_PROFILE, withUserAgent } from "../../../suites/core/http/header-profiles.ts";
import { parseJson, textMember } from "../../../suites/core/json.ts";
import { codeOf } from "../../../suites/core/responses.ts";
import type { Redactor } from "../../../suites/core/text/redact.ts";
import type { Credentials } from "../../../suites/server/session/identities/identity.ts";
import type { TargetSettings } from "../../../suites/server/session/sample-data/settings.ts";
import { TOKEN_REFUSALS } from "../../../suites/server/support/protocol/error-codes.ts";
import { UsageError } from "../../usage-error.ts";
import { connectionProblemAt } from "../connection-problem.ts";

/** Facts about the target that are found before the run. */
interface TargetFacts {
  /** The API version from GET /healthz, if the target reports one. */
  readonly version: string | undefined;
  /** The shortest of several response times, in milliseconds. */
  readonly latencyMs: number;
  /** The tokens that the target issued. */
  readonly tokens: readonly string[];
}

/** The time limit for all requests before the run together is this multiple of `answerMs`, the time limit for one response. */
const TOTAL_LIMIT_FACTOR = 7;
/** A longer `version` isn't shown, because it may be text from a proxy's page. */
const MAX_VERSION_CHARS = 100;

interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
  readonly text: string;
}

interface RequestContext {
  readonly target: TargetSettings;
  readonly redact: Redactor;
  readonly connections: Connections;
  readonly signal: AbortSignal;
}

async function ask(
  { target, redact, connections, signal }: RequestContext,
  path: string,
  body?: object,
): Promise<Reply> {
  const { url, answerMs } = target;
  try {
    const answer = await sendRequest(
      connections,
      `${url}${path}`,
      {
        method: body ? "POST" : "GET",
        headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
        body: body ? JSON.stringify(body) : null,
      },
      // All requests before the run are safe to repeat. The time limit includes one repetition.
      {
        timeoutMs: timerMs(2 * answerMs),
        signal,
        isRetryable: true,
        onBody: (bytes) => redact.learnFrom(new TextDecoder().decode(bytes)),
      },
    );
    return {
      status: answer.status,
      contentType: [answer.headers["content-type"] ?? ""].flat().join(),
      location: [answer.headers.location ?? []].flat()[0],
      text: new TextDecoder().decode(answer.bytes),
    };
  } catch (error) {
    const problem = await connectionProblemAt(`${url}${path}`, error, answerMs);
    throw new UsageError(`${url}${path} can't be certified: ${problem}`);
  }
}

/** Random credentials, which every token endpoint refuses. */
const UNKNOWN_CREDENTIALS: Credentials = { client_id: randomUUID(), client_secret: randomUUID() };

/**
 * True for a web page. JSON that is declared as HTML isn't a web page: the service itself sent it, and a check judges it.
 */
const isWebPage = ({ contentType, text }: Reply): boolean =>
  /^\s*<(!doctype|html)/i.test(text) || (contentType.includes("html") && parseJson(text) === undefined);

function kindOfBody(reply: Reply): string {
  if (isWebPage(reply)) return "HTML";
  if (reply.text.trim() === "") return "nothing";
  return parseJson(reply.text) === undefined ? "text" : "JSON";
}

/** The statuses with which a server responds if it doesn't have the endpoint. */
const MISSING_ENDPOINT_STATUSES: readonly number[] = [404, 405, 501];

const isRedirect = ({ status }: Reply): boolean => status >= 300 && status <= 399;

/**
 * The target of a redirect, without user, query and fragment, which may contain secrets. Undefined if the target isn't
 * an http or https URL.
 */
function redirectTarget({ location }: Reply, asked: string): string | undefined {
  if (location === undefined || !URL.canParse(location, asked)) return undefined;
  const { protocol, origin, pathname } = new URL(location, asked);
  return protocol === "http:" || protocol === "https:" ? `${origin}${pathname}` : undefined;
}

const TOKEN_PATH = "/oauth/token";

/** @throws UsageError if the token endpoint redirects, because then --url isn't the service's base URL */
function expectNoRedirect(url: string, reply: Reply): void {
  if (!isRedirect(reply)) return;
  const target = redirectTarget(reply, `${url}${TOKEN_PATH}`);
  const base = target?.endsWith(TOKEN_PATH) ? target.slice(0, -TOKEN_PATH.length) : undefined;
  const advice =
    base !== undefined && base !== url
      ? `points to ${base}: give this URL as --url`
      : `${target === undefined ? "gives no valid target" : `points to ${target}`}. The suite doesn't follow redirects. Is --url the base URL?`;
  throw new UsageError(`${url} can't be certified: POST ${TOKEN_PATH} returns ${reply.status} and ${advice}`);
}

/** @throws UsageError if the token endpoint requires a token, usually because the base URL includes `/v1` */
function expectNoTokenRequired(url: string, { status, text }: Reply): void {
  const code = codeOf({ json: parseJson(text) });
  if (status !== 401 || !TOKEN_REFUSALS.some((refusal) => refusal === code)) return;
  const base = url.replace(/\/v1$/, "");
  const advice = base === url ? "Is --url the base URL?" : `Give the base URL without /v1: --url ${base}`;
  throw new UsageError(
    `${url} can't be certified: POST ${TOKEN_PATH} returns 401 ${code}, which means that it requires a token. ${advice}`,
  );
}

/** @throws UsageError if the service has no token endpoint */
function expectTokenEndpoint(url: string, reply: Reply): void {
  // A web page with an error status may come from the endpoint's framework. The checks judge such a response.
  const isPageInstead = isWebPage(reply) && reply.status < 400;
  if (!MISSING_ENDPOINT_STATUSES.includes(reply.status) && !isPageInstead) return;
  throw new UsageError(
    `${url} can't be certified: POST ${TOKEN_PATH} returns ${reply.status} with ${kindOfBody(reply)}. Is --url the base URL, and does the service have a token endpoint? All checks need one`,
  );
}

/** The shortest of several is used, because single responses may be delayed. */
const LATENCY_TRIES = 3;

async function latency(requestContext: RequestContext): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < LATENCY_TRIES; attempt += 1) {
    const begin = monotonicNow();
    await ask(requestContext, "/healthz");
    quickest = Math.min(quickest, monotonicNow() - begin);
  }
  return quickest;
}

async function health(requestContext: RequestContext): Promise<string | undefined> {
  const { url } = requestContext.target;
  const reply = await ask(requestContext, "/healthz");
  const { status, text } = reply;
  // If the health endpoint redirects, the token endpoint probably redirects too, and the error about the token endpoint is clearer.
  if (isWebPage(reply) && !MISSING_ENDPOINT_STATUSES.includes(status) && !isRedirect(reply)) {
    throw new UsageError(
      `${url}/healthz returns ${status} with a web page: is --url the service's base URL?`,
    );
  }
  const version = textMember(parseJson(text), "version");
  return version !== undefined && version.length <= MAX_VERSION_CHARS ? version : undefined;
}

async function control({ target, redact, signal }: RequestContext): Promise<void> {
  if (!target.control) return;
  try {
    await new ControlClient(target.control, redact, target.answerMs).describe(signal);
  } catch (error) {
    if (!(error instanceof CheckSkipped)) throw error;
    const refused = error instanceof ControlRefusal && [401, 403].includes(error.status);
    const advice = refused
      ? "; is CONFORM_CONTROL_TOKEN the control interface's token, and is --control-url the URL of the control interface?"
      : "";
    throw new UsageError(`--control-url ${target.control.url} can't be used: ${error.message}${advice}`);
  }
}

async function token(
  requestContext: RequestContext,
  { client_id, client_secret }: Credentials,
): Promise<string | undefined> {
  const { target, redact } = requestContext;
  const reply = await ask(requestContext, TOKEN_PATH, {
    grant_type: "client_credentials",
    client_id,
    client_secret,
  });
  expectNoRedirect(target.url, reply);
  expectNoTokenRequired(target.url, reply);
  expectTokenEndpoint(target.url, reply);
  if (reply.status === 401 && client_id !== UNKNOWN_CREDENTIALS.client_id) {
    throw new UsageError(
      `${target.url} refuses the credentials of client id ${client_id} (401): check --client-id and the secret`,
    );
  }
  const issued = textMember(parseJson(reply.text), "access_token");
  redact.learn(issued);
  return issued;
}

const credentialsOf = ({ credentials }: TargetSettings): readonly Credentials[] =>
  credentials.length > 0 ? credentials : [UNKNOWN_CREDENTIALS];

async function facts(requestContext: RequestContext): Promise<TargetFacts> {
  const version = await health(requestContext);
  // The token endpoint comes before the control interface: if both redirect, the error about the token endpoint is clearer.
  const tokens = await Promise.all(
    credentialsOf(requestContext.target).map((credentials) => token(requestContext, credentials)),
  );
  await control(requestContext);
  const latencyMs = await latency(requestContext);
  return { version, latencyMs, tokens: tokens.filter((issued) => issued !== undefined) };
}

/**
 * Tests before a run that the target responds and accepts the credentials, so that no check fails because of them.
 * @param redact knows the run's secrets, and learns the tokens that the target issues
 * @param interrupted stops the requests: resolves when the user ends the run
 * @throws UsageError, whose message contains no secrets
 */
export async function preflight(
  target: TargetSettings,
  redact: Redactor,
  interrupted: Promise<void> = new Promise(() => {}),
): Promise<TargetFacts> {
  const limitMs = timerMs(TOTAL_LIMIT_FACTOR * target.answerMs);
  const { answerMs } = target;
  const connections = openConnections({ style: withUserAgent(FETCH_PROFILE, target.userAgent), answerMs });
  const cancellation = new AbortController();
  const giveUp = (why: string) => cancellation.abort(new UsageError(why));
  void interrupted.then(() => giveUp("interrupted before the run began: nothing was tested"));
  const timer = setTimeout(
    giveUp,
    limitMs,
    `${target.url} can't be certified: the requests before the run took longer than ${limitMs / 1000} s in total`,
  );
  try {
    return await facts({ target, redact, connections, signal: cancellation.signal });
  } catch (error) {
    const shown: unknown = cancellation.signal.aborted ? cancellation.signal.reason : error;
    throw shown instanceof UsageError ? new UsageError(redact.text(shown.message)) : shown;
  } finally {
    clearTimeout(timer);
    await connections.close();
  }
}
