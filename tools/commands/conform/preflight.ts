import { randomUUID } from "node:crypto";
import { monotonicNow, timerMs } from "../../../suites/core/clock.ts";
import { ControlClient, ControlRefusal } from "../../../suites/core/control.ts";
import { NotTestable } from "../../../suites/core/grading/failures/failure.ts";
import { type Connections, openConnections, sendRequest } from "../../../suites/core/http/connections.ts";
import { FETCH, named } from "../../../suites/core/http/header-profiles.ts";
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
  /** The response time in milliseconds: the fastest of several. */
  readonly latencyMs: number;
  /** The tokens that the target issued meanwhile. */
  readonly tokens: readonly string[];
}

/**
 * The number of sequential requests before the run, plus one as a margin. The total time limit is this many
 * times the timeout.
 */
const ANSWERS = 7;
/** A longer version isn't shown, because it may be text from a proxy's page. */
const MAX_VERSION_CHARS = 100;

interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
  readonly text: string;
}

interface Asking {
  readonly target: TargetSettings;
  readonly redact: Redactor;
  readonly connections: Connections;
  readonly signal: AbortSignal;
}

async function ask(
  { target, redact, connections, signal }: Asking,
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
      // The requests are idempotent.
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

/** Invalid credentials, which a token endpoint refuses. */
const NOBODY: Credentials = { client_id: randomUUID(), client_secret: randomUUID() };

/**
 * True for a web page, by its content. JSON declared as HTML is the service's own response, which a check
 * judges.
 */
const isWebPage = ({ contentType, text }: Reply): boolean =>
  /^\s*<(!doctype|html)/i.test(text) || (contentType.includes("html") && parseJson(text) === undefined);

/** The kind of a reply's content. */
function kindOfBody(reply: Reply): string {
  if (isWebPage(reply)) return "HTML";
  if (reply.text.trim() === "") return "nothing";
  return parseJson(reply.text) === undefined ? "text" : "JSON";
}

/** Statuses of a server without the endpoint. */
const NOT_THERE: readonly number[] = [404, 405, 501];

const isRedirect = ({ status }: Reply): boolean => status >= 300 && status <= 399;

/**
 * The target of a redirect, without user, query and fragment, which may contain secrets. Undefined if it
 * isn't a web address.
 */
function redirectTarget({ location }: Reply, asked: string): string | undefined {
  if (location === undefined || !URL.canParse(location, asked)) return undefined;
  const { protocol, origin, pathname } = new URL(location, asked);
  return protocol === "http:" || protocol === "https:" ? `${origin}${pathname}` : undefined;
}

const TOKEN_PATH = "/oauth/token";

/** @throws UsageError if the token endpoint redirects: the given address isn't the service's */
function expectNoRedirect(url: string, reply: Reply): void {
  if (!isRedirect(reply)) return;
  const target = redirectTarget(reply, `${url}${TOKEN_PATH}`);
  const base = target?.endsWith(TOKEN_PATH) ? target.slice(0, -TOKEN_PATH.length) : undefined;
  const advice =
    base !== undefined && base !== url
      ? `points to ${base}: give that address as --url`
      : `${target === undefined ? "doesn't say where to" : `points to ${target}`}: redirects aren't followed. Is --url the base URL?`;
  throw new UsageError(`${url} can't be certified: POST ${TOKEN_PATH} answers ${reply.status} and ${advice}`);
}

/** @throws UsageError if the address includes `/v1`, where every path requires a token */
function expectNoTokenAskedFor(url: string, { status, text }: Reply): void {
  const code = codeOf({ json: parseJson(text) });
  if (status !== 401 || !TOKEN_REFUSALS.some((one) => one === code)) return;
  const base = url.replace(/\/v1$/, "");
  const advice = base === url ? "Is --url the base URL?" : `Give the address without /v1: --url ${base}`;
  throw new UsageError(
    `${url} can't be certified: POST ${TOKEN_PATH} answers 401 ${code}, which means that it requires a token. ${advice}`,
  );
}

/** @throws UsageError without a token endpoint */
function expectTokenEndpoint(url: string, reply: Reply): void {
  // A framework's error page is the endpoint's own response, which the checks judge.
  const isPageInstead = isWebPage(reply) && reply.status < 400;
  if (!NOT_THERE.includes(reply.status) && !isPageInstead) return;
  throw new UsageError(
    `${url} can't be certified: POST ${TOKEN_PATH} answers ${reply.status} with ${kindOfBody(reply)}. Is --url the base URL, and is the token endpoint built? All checks need it`,
  );
}

/** The first response may include connection setup, and the second may include compilation. */
const LATENCY_TRIES = 3;

async function latency(asking: Asking): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < LATENCY_TRIES; tried += 1) {
    const begin = monotonicNow();
    await ask(asking, "/healthz");
    quickest = Math.min(quickest, monotonicNow() - begin);
  }
  return quickest;
}

async function health(asking: Asking): Promise<string | undefined> {
  const { url } = asking.target;
  const reply = await ask(asking, "/healthz");
  const { status, text } = reply;
  // If the health endpoint redirects, the message about the token endpoint is clearer.
  if (isWebPage(reply) && !NOT_THERE.includes(status) && !isRedirect(reply)) {
    throw new UsageError(
      `${url}/healthz answers ${status} with a web page, not as the service would: is --url the API's base URL?`,
    );
  }
  const version = textMember(parseJson(text), "version");
  return version !== undefined && version.length <= MAX_VERSION_CHARS ? version : undefined;
}

async function control({ target, redact, signal }: Asking): Promise<void> {
  if (!target.control) return;
  try {
    await new ControlClient(target.control, redact, target.answerMs).describe(signal);
  } catch (error) {
    if (!(error instanceof NotTestable)) throw error;
    const refused = error instanceof ControlRefusal && [401, 403].includes(error.status);
    const ask = refused ? "; is CONFORM_CONTROL_TOKEN its token, and --control-url its own address?" : "";
    throw new UsageError(`--control-url ${target.control.url} can't be used: ${error.message}${ask}`);
  }
}

async function token(asking: Asking, { client_id, client_secret }: Credentials): Promise<string | undefined> {
  const { target, redact } = asking;
  const reply = await ask(asking, TOKEN_PATH, {
    grant_type: "client_credentials",
    client_id,
    client_secret,
  });
  expectNoRedirect(target.url, reply);
  expectNoTokenAskedFor(target.url, reply);
  expectTokenEndpoint(target.url, reply);
  if (reply.status === 401 && client_id !== NOBODY.client_id) {
    throw new UsageError(
      `${target.url} refuses the credentials of client id ${client_id} (401): check --client-id and the secret`,
    );
  }
  const given = textMember(parseJson(reply.text), "access_token");
  redact.learn(given);
  return given;
}

const credentialsOf = ({ credentials }: TargetSettings): readonly Credentials[] =>
  credentials.length > 0 ? credentials : [NOBODY];

async function facts(asking: Asking): Promise<TargetFacts> {
  const version = await health(asking);
  // Tested before the control interface: if both redirect, the service's message is clearer.
  const tokens = await Promise.all(
    credentialsOf(asking.target).map((credentials) => token(asking, credentials)),
  );
  await control(asking);
  const latencyMs = await latency(asking);
  return { version, latencyMs, tokens: tokens.filter((given) => given !== undefined) };
}

/**
 * Distinguishes an unreachable target or wrong credentials from a faulty target.
 * @param redact knows the run's secrets, and learns the ones that the target issues
 * @param interrupted resolves when the operator ends the run, and stops the requests
 * @throws UsageError in one line, without secrets
 */
export async function preflight(
  target: TargetSettings,
  redact: Redactor,
  interrupted: Promise<void> = new Promise(() => {}),
): Promise<TargetFacts> {
  const longest = timerMs(ANSWERS * target.answerMs);
  const { answerMs } = target;
  const connections = openConnections({ style: named(FETCH, target.userAgent), answerMs });
  const given = new AbortController();
  const giveUp = (why: string) => given.abort(new UsageError(why));
  void interrupted.then(() => giveUp("interrupted before the run began: nothing was tested"));
  const timer = setTimeout(
    giveUp,
    longest,
    `${target.url} can't be certified: the requests before the run took longer than ${longest / 1000} s in total`,
  );
  try {
    return await facts({ target, redact, connections, signal: given.signal });
  } catch (error) {
    const shown: unknown = given.signal.aborted ? given.signal.reason : error;
    throw shown instanceof UsageError ? new UsageError(redact.text(shown.message)) : shown;
  } finally {
    clearTimeout(timer);
    await connections.close();
  }
}
