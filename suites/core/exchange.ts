import type { OperationId } from "./contract/document.ts";
import { excerptAround, type MemberPath, pathInWords } from "./text/member-paths.ts";
import type { Redactor } from "./text/redact.ts";

/** One request and its response as sent over the wire. */
export interface Exchange {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  /** Milliseconds since 1970 on this machine's clock. */
  readonly startedAt: number;
  /** Milliseconds by which the sending integrator's clock was ahead of this machine's. */
  readonly clockOffsetMs?: number;
  /** Who sent the request, if the check has several integrators. */
  readonly sender?: string;
  readonly durationMs: number;
  /** Undefined if no readable response arrived. */
  readonly response: ExchangeResponse | undefined;
  /** Why no readable response arrived. */
  readonly failure: string | undefined;
  /** The rule that the request violates intentionally. Undefined for a valid request. */
  readonly violates: string | undefined;
  /** True for a 401 to a valid token that the target had accepted before. */
  readonly refusesValidToken?: true;
  /** True if the request's path isn't in the document. */
  readonly unknownRoute?: boolean;
  /** True if the request was sent again after a connection loss, so the target may have received it twice. */
  readonly isRetried?: boolean;
  /** True if the connection broke before a response. */
  readonly isConnectionLost?: boolean;
  /** True if an open connection delivered no response in time. */
  readonly isLate?: boolean;
  /** True if a response arrived that exceeds the suite's limits, or can't be decoded. */
  readonly isUnreadable?: true;
  /** True if the connection was refused. The target didn't receive the request. */
  readonly isUnsent?: boolean;
  /**
   * Set if the target stopped responding at this request: "before its answer", or "after its answer" in a
   * second record of the exchange.
   */
  readonly stoppedTarget?: "before its answer" | "after its answer";
}

export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case. Several values are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The parsed body. Undefined if it isn't JSON. */
  readonly json: unknown;
}

/** The request as sent, regardless of its result. */
export type SentRequest = Pick<Exchange, "method" | "url" | "requestHeaders" | "requestBody">;

/** A member of a JSON body, with its neighbours, one line each. */
export interface Excerpt {
  readonly path: string;
  readonly around: string;
}

/** An exchange as reports show it: secrets redacted, bodies cut. */
export interface ReportedExchange {
  readonly operation: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly violates?: string;
  readonly failure?: string;
  readonly request: { method: string; url: string; headers: Record<string, string>; body?: string };
  readonly response?: { status: number; headers: Record<string, string>; body: string };
  /** The incorrect member of the response. */
  readonly blamed?: Excerpt;
}

/** Why an exchange has no response, in words. A response that can't be read may have arrived. */
export const missingResponse = (failure?: string): string =>
  `no readable response${failure === undefined ? "" : ` (${failure})`}`;

const MAX_BODY_CHARS = 4_000;
/** The maximum length of text that is searched for secrets: far more than is shown, but less than a photo. */
const MAX_READ_CHARS = 64 * 1024;

/** The number of characters of a text that are searched for secrets, and the number that are shown. */
export interface TextBounds {
  readonly read: number;
  readonly shown: number;
}

const BOUNDS: TextBounds = { read: MAX_READ_CHARS, shown: MAX_BODY_CHARS };
/** Bounds for the exchange of a failure. A list of about twenty deliveries is shown completely. */
const BLAMED_BOUNDS: TextBounds = { read: MAX_READ_CHARS, shown: 32_000 };

/**
 * Text that fits into a report, with secrets removed before it is cut.
 * @param withoutSecrets removes the secrets
 */
export function truncate(
  text: string,
  withoutSecrets: (text: string) => string,
  bounds: TextBounds = BOUNDS,
): string {
  const shown = withoutSecrets(text.slice(0, bounds.read));
  const isWhole = text.length <= bounds.read && shown.length <= bounds.shown;
  return isWhole ? shown : `${shown.slice(0, bounds.shown)}… (${text.length} characters)`;
}

/** The text of a body; for an image, its size. */
const shownText = ({ headers, bytes, text }: ExchangeResponse): string =>
  headers["content-type"]?.startsWith("image/") ? `(an image of ${bytes.length} bytes)` : text;

export function reportExchange(exchange: Exchange, redact: Redactor, bounds = BOUNDS): ReportedExchange {
  const { response } = exchange;
  return {
    operation: exchange.operation,
    started_at: new Date(exchange.startedAt).toISOString(),
    duration_ms: Math.round(exchange.durationMs),
    ...(exchange.violates === undefined ? {} : { violates: exchange.violates }),
    ...(exchange.failure === undefined ? {} : { failure: redact.text(exchange.failure) }),
    request: {
      method: exchange.method,
      url: redact.text(exchange.url),
      headers: redact.headers(exchange.requestHeaders),
      ...(exchange.requestBody === undefined
        ? {}
        : { body: truncate(exchange.requestBody, (text) => redact.body(text), bounds) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: redact.headers(response.headers),
        body: truncate(shownText(response), (text) => redact.body(text), bounds),
      },
    }),
  };
}

/** A failure's exchange with longer bodies than other exchanges, and with the incorrect member if known. */
export function reportBlamedExchange(
  exchange: Exchange,
  redact: Redactor,
  path: MemberPath | undefined,
): ReportedExchange {
  const shown = reportExchange(exchange, redact, BLAMED_BOUNDS);
  if (path === undefined) return shown;
  return { ...shown, blamed: excerptOf(exchange.response?.json, path, redact) };
}

export const excerptOf = (json: unknown, path: MemberPath, redact: Redactor): Excerpt => ({
  path: redact.text(pathInWords(path)),
  around: excerptAround(json, path, (text) => redact.body(text)),
});

export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A curl line that repeats the request. The reader replaces `$TOKEN` with the token. */
export function curlCommand(exchange: SentRequest, redact: Redactor): string {
  // curl expands brackets and braces in a URL, so a target's id could make it send thousands of requests.
  const plain = /[[\]{}]/.test(exchange.url) ? ["-g"] : [];
  const words = ["curl", "-i", ...plain, "-X", exchange.method, shellQuote(redact.text(exchange.url))];
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    const ours = name === "authorization" && value.startsWith("Bearer ") && redact.knows(value.slice(7));
    words.push("-H", ours ? `"authorization: Bearer $TOKEN"` : shellQuote(`${name}: ${redact.text(value)}`));
  }
  if (exchange.requestBody !== undefined) {
    words.push("--data-raw", shellQuote(redact.body(exchange.requestBody)));
  }
  return words.join(" ");
}
