import { request } from "undici";
import { ControlClient } from "../../../suites/core/control.ts";
import { NotTestable } from "../../../suites/core/failure.ts";
import { parseJson, textMember } from "../../../suites/core/json.ts";
import { Redactor } from "../../../suites/core/redact.ts";
import type { TargetSettings } from "../../../suites/server/session/settings.ts";
import { UsageError } from "../../usage-error.ts";
import { connectionProblem } from "../connection-problem.ts";

/** What the target says of itself before the run. */
export interface TargetFacts {
  /** API version from GET /healthz, where it tells one. */
  readonly version: string | undefined;
  /** Tokens that it gave out meanwhile. */
  readonly tokens: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

async function ask(url: string, answerMs: number, body?: object): Promise<Reply> {
  try {
    const answer = await request(url, {
      method: body ? "POST" : "GET",
      headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
      body: body ? JSON.stringify(body) : null,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    });
    return {
      status: answer.statusCode,
      contentType: [answer.headers["content-type"] ?? ""].flat().join(),
      text: await answer.body.text(),
    };
  } catch (error) {
    throw new UsageError(`${url} can't be certified: ${connectionProblem(error, answerMs)}`);
  }
}

/**
 * Tells a target that isn't there, or that these credentials don't fit, from one that is there and wrong.
 * A target that answers but answers wrongly is left to the checks.
 * @throws UsageError in one line
 */
export async function preflight(target: TargetSettings): Promise<TargetFacts> {
  const health = await ask(`${target.url}/healthz`, target.answerMs);
  if (health.contentType.includes("html") || /^\s*<(!doctype|html)/i.test(health.text)) {
    throw new UsageError(
      `${target.url}/healthz answers ${health.status} with a web page, not with the service: is --url the API's base address?`,
    );
  }
  if (target.control) {
    try {
      await new ControlClient(target.control, new Redactor()).describe();
    } catch (error) {
      if (!(error instanceof NotTestable)) throw error;
      throw new UsageError(`--control-url ${target.control.url} can't be used: ${error.message}`);
    }
  }
  const tokens: string[] = [];
  for (const { client_id, client_secret } of target.credentials) {
    const reply = await ask(`${target.url}/oauth/token`, target.answerMs, {
      grant_type: "client_credentials",
      client_id,
      client_secret,
    });
    if (reply.status === 401) {
      throw new UsageError(
        `${target.url} refuses the credentials of client id ${client_id} (401): check --client-id and the secret`,
      );
    }
    const token = textMember(parseJson(reply.text), "access_token");
    if (token !== undefined) tokens.push(token);
  }
  return { version: textMember(parseJson(health.text), "version"), tokens };
}
