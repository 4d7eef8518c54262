import { parseJson, textMember } from "../../../suites/core/json.ts";
import { httpUrl, instant } from "../../settings/values.ts";
import { webhookSecret } from "../../settings/webhook-secret.ts";
import { UsageError } from "../../usage-error.ts";
import { type Captured, capturedIn, headersIn, readBytes } from "./captured.ts";

export interface WebhookFlags {
  headers?: string;
  body?: string;
  secret?: string;
  secretFile?: string;
  at?: string;
  json?: boolean;
}

export interface SignFlags extends WebhookFlags {
  id?: string;
  url?: string;
}

export interface VerifySettings {
  readonly captured: Captured;
  readonly secret: string;
  /**
   * The time of arrival as Unix time in milliseconds. Undefined if unknown: the webhook's age isn't verified.
   */
  readonly arrivedAt: number | undefined;
}

export interface SignSettings {
  readonly body: Buffer;
  readonly id: string;
  readonly secret: string;
  readonly at: number;
  readonly url: string | undefined;
}

/** @throws UsageError */
export function verifySettings(
  file: string | undefined,
  flags: WebhookFlags,
  environment: NodeJS.ProcessEnv,
): VerifySettings {
  const secret = secretFrom(flags, environment);
  if ((flags.headers === undefined) !== (flags.body === undefined)) {
    throw new UsageError("--headers and --body go together: give both, or only a captured webhook");
  }
  return { captured: capturedFrom(file, flags), secret, arrivedAt: timeFrom(flags.at) };
}

/** @throws UsageError */
export function signSettings(
  file: string | undefined,
  flags: SignFlags,
  environment: NodeJS.ProcessEnv,
): SignSettings {
  const secret = secretFrom(flags, environment);
  const { headers, body } = capturedFrom(file, flags);
  const id = flags.id ?? headers["webhook-id"] ?? idIn(body);
  if (id === undefined) throw new UsageError("the event has no id for the webhook-id: give an id with --id");
  if (!/^[!-~]+$/.test(id))
    throw new UsageError(
      "the webhook-id has a space or a character that is invalid in a header: give a valid id with --id",
    );
  const url = flags.url === undefined ? undefined : httpUrl(flags.url, "--url");
  return { body, id, secret, at: timeFrom(flags.at) ?? Date.now(), url };
}

function capturedFrom(file: string | undefined, { headers, body }: WebhookFlags): Captured {
  if (headers === undefined && body === undefined) {
    if (file === undefined && process.stdin.isTTY) {
      throw new UsageError("no webhook: name a file, pipe one in, or give --headers and --body");
    }
    return capturedIn(readBytes(file ?? "-", "the captured webhook"));
  }
  if (file !== undefined)
    throw new UsageError("both a captured webhook and --headers or --body are given: give only one of them");
  return {
    headers: headers === undefined ? {} : headersIn(readBytes(headers, "--headers").toString("utf8")),
    body: body === undefined ? Buffer.alloc(0) : readBytes(body, "--body"),
    isText: false,
  };
}

function idIn(body: Buffer): string | undefined {
  const event = parseJson(body.toString("utf8"));
  return textMember(event, "id");
}

function secretFrom({ secret, secretFile }: WebhookFlags, environment: NodeJS.ProcessEnv): string {
  const advice = "give the secret in the response of POST /v1/webhooks, or the secret that serve prints";
  const inFile =
    secretFile === undefined ? undefined : readBytes(secretFile, "--secret-file").toString("utf8").trim();
  if (secret !== undefined && inFile !== undefined) {
    throw new UsageError("--secret and --secret-file are both given: give one");
  }
  const known = secret ?? inFile ?? (environment.WEBHOOK_SECRET?.trim() || undefined);
  if (known === undefined)
    throw new UsageError("no secret: set WEBHOOK_SECRET, or name a file with --secret-file");
  return webhookSecret(known, advice);
}

const timeFrom = (at: string | undefined): number | undefined =>
  at === undefined ? undefined : instant(at, "--at");
