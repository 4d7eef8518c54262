import { machineErrorOf, openFilesExhausted } from "../machine-error.ts";
import { LateAnswer, lostConnectionKind } from "./connection-loss.ts";
import { decoded } from "./content-coding.ts";
import type { HeaderProfile } from "./header-profiles.ts";
import { FETCH } from "./header-profiles.ts";
import type { HttpClient, IncomingHttp } from "./http-client.ts";
import { nodeHttpClient } from "./node-http-client.ts";
import { undiciClient } from "./undici-client.ts";

/** Sends requests with one header profile. */
export interface Connections extends HttpClient {
  readonly style: HeaderProfile;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttp["headers"];
  /** The body, without the content coding that it was sent in. */
  readonly bytes: Uint8Array;
}

/**
 * The largest answer of the service is a page of 200 deliveries, or a photo of 1.5 MB. The limit applies before and
 * after decoding.
 */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

interface ConnectionOptions {
  /** Node's fetch by default. */
  readonly style?: HeaderProfile;
  /** Time limit for establishing a connection, milliseconds. */
  readonly connectMs?: number;
  /** Time limit for an answer's headers, and for each part of its body, milliseconds. */
  readonly answerMs?: number;
  /** An address of this machine that connections come from. */
  readonly localAddress?: string | undefined;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 300_000;

export function openConnections({
  style = FETCH,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
  localAddress,
}: ConnectionOptions): Connections {
  const program = style.program === "undici" ? undiciClient : nodeHttpClient;
  return { style, ...program({ style, connectMs, answerMs, localAddress }) };
}

interface RequestOptions {
  /** GET by default. */
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
}

interface SendOptions {
  /** Time limit for the whole exchange, however busily the answer goes on, milliseconds. */
  readonly timeoutMs: number;
  /** Instead of the connections' own. */
  readonly answerMs?: number;
  /** Gives it up before. */
  readonly signal?: AbortSignal | undefined;
  /** True if sending it twice has the effect of sending it once (RFC 9110, 9.2.2). */
  readonly isRetryable?: boolean;
  /** True if it takes a connection of its own. */
  readonly fresh?: boolean;
  /** Called when it is sent a second time: the target may have seen it twice. */
  readonly onRetry?: () => void;
}

/**
 * Sends a request and reads the whole answer up to the size limit. A server may close an idle connection at any time
 * (RFC 9112, 9.5), which says nothing about it, so the request is sent once more on a new one. The same applies to a
 * retryable request whose connection is lost before any byte of an answer, for example by a balancer.
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
  }: SendOptions,
): Promise<RawResponse> {
  const late = AbortSignal.timeout(timeoutMs);
  const signal = givenUp ? AbortSignal.any([late, givenUp]) : late;
  const send = (isFresh: boolean) =>
    connections.send(url, { method, headers, body, fresh: isFresh, answerMs, signal });
  try {
    const answer = await send(fresh).catch((error: unknown) => {
      const loss = lostConnectionKind(error);
      if (loss === undefined || (loss === "new" && !isRetryable)) throw error;
      onRetry();
      return send(true);
    });
    const { status, headers: answered } = answer;
    const codings = [answered["content-encoding"] ?? ""].flat().join();
    return {
      status,
      headers: answered,
      bytes: decoded(await readBody(answer.body), codings, MAX_RESPONSE_BYTES),
    };
  } catch (error) {
    const isLost = lostConnectionKind(error) !== undefined;
    const machine = machineErrorOf(error) ?? (isLost ? openFilesExhausted() : undefined);
    if (machine) throw machine;
    if (late.aborted) throw new LateAnswer(`its answer didn't end within ${timeoutMs / 1000} s`);
    throw error;
  }
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new Error(`its answer is longer than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB`);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
