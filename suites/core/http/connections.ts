import { machineErrorOf, openFilesExhausted } from "../machine-error.ts";
import { LateAnswer, lostConnectionKind } from "./connection-loss.ts";
import { decoded } from "./content-coding.ts";
import type { HeaderProfile } from "./header-profiles.ts";
import { FETCH_PROFILE } from "./header-profiles.ts";
import type { HttpClient, IncomingHttp } from "./http-client.ts";
import { nodeHttpClient } from "./node-http-client.ts";
import { undiciClient } from "./undici-client.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

/** Sends requests with one header profile. */
export interface Connections extends HttpClient {
  readonly style: HeaderProfile;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttp["headers"];
  /** The body after decoding. */
  readonly bytes: Uint8Array;
}

/**
 * The largest responses of the service are a page of 200 deliveries and a photo of 1.5 MB. The limit applies
 * before and after decoding.
 */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

interface ConnectionOptions {
  /** Defaults to Node's fetch. */
  readonly style?: HeaderProfile;
  /** Time limit for establishing a connection, milliseconds. */
  readonly connectMs?: number;
  /** The time limit in milliseconds for a response's headers, and for each part of its body. */
  readonly answerMs?: number;
  /** The local source address of connections. */
  readonly localAddress?: string | undefined;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 300_000;

export function openConnections({
  style = FETCH_PROFILE,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
  localAddress,
}: ConnectionOptions): Connections {
  const program = style.program === "undici" ? undiciClient : nodeHttpClient;
  return { style, ...program({ style, connectMs, answerMs, localAddress }) };
}

interface RequestOptions {
  /** Defaults to GET. */
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
}

interface SendOptions {
  /** The time limit in milliseconds for the whole exchange, even if data keeps arriving. */
  readonly timeoutMs: number;
  /** Overrides the `answerMs` of the connections. */
  readonly answerMs?: number;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** True if the request is idempotent (RFC 9110, 9.2.2). */
  readonly isRetryable?: boolean;
  /** True to open a new connection. */
  readonly fresh?: boolean;
  /** Called when the request is sent a second time. The target may receive it twice. */
  readonly onRetry?: () => void;
  /**
   * Called with each received body as soon as it has arrived: decoded, or if the connection broke or the time
   * limit passed, the part that arrived.
   */
  readonly onBody?: (bytes: Uint8Array) => void;
}

/**
 * Sends a request and reads the response up to the size limit. If an idle connection turns out to be closed
 * (RFC 9112, 9.5), sends the request once more on a new one. Does the same for a retryable request whose
 * connection breaks before any byte of a response.
 */
export async function sendRequest(
  connections: Connections,
  url: string,
  { method = "GET", headers = {}, body = null }: RequestOptions,
  {
    timeoutMs,
    answerMs,
    signal: givenUp,
    isRetryable = false,
    fresh = false,
    onRetry = () => {},
    onBody = () => {},
  }: SendOptions,
): Promise<RawResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = givenUp ? AbortSignal.any([timeout, givenUp]) : timeout;
  const send = (isFresh: boolean) =>
    connections.send(url, { method, headers, body, fresh: isFresh, answerMs, signal });
  try {
    const answer = await send(fresh).catch((error: unknown) => {
      const loss = lostConnectionKind(error);
      if (loss === undefined || (loss === "new" && !isRetryable)) throw error;
      onRetry();
      return send(true);
    });
    const { status, headers: responseHeaders } = answer;
    const codings = [responseHeaders["content-encoding"] ?? ""].flat().join();
    const bytes = decoded(await readBody(answer.body, onBody), codings, MAX_RESPONSE_BYTES);
    onBody(bytes);
    return { status, headers: withoutPadding(responseHeaders), bytes };
  } catch (error) {
    const isLost = lostConnectionKind(error) !== undefined;
    const machine = machineErrorOf(error) ?? (isLost ? openFilesExhausted() : undefined);
    if (machine) throw machine;
    if (timeout.aborted) throw new LateAnswer(`its response didn't end within ${timeoutMs / 1000} s`);
    throw error;
  }
}

/** Removes spaces and tabs around header values, which aren't part of the value (RFC 9110, 5.5). */
function withoutPadding(headers: IncomingHttp["headers"]): IncomingHttp["headers"] {
  const trimmed = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, "");
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(trimmed) : value && trimmed(value),
    ]),
  );
}

/** @param onCut called with the part that arrived, if the body has no end or is too long */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  onCut: (bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES)
        throw new UnreadableResponse(`its response is longer than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB`);
    }
  } catch (error) {
    onCut(Buffer.concat(chunks));
    throw error;
  }
  return new Uint8Array(Buffer.concat(chunks));
}
