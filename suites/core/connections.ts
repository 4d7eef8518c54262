import { Agent, type Dispatcher, errors, request } from "undici";
import { decoded } from "./content-coding.ts";
import { ordinaryUserAgent } from "./user-agents.ts";

/** Where requests go out. */
export interface Connections {
  /** Over connections that are kept open. */
  readonly keepAlive: Dispatcher;
  /** Each over a connection of its own. */
  readonly perRequest: Dispatcher;
  close(): Promise<unknown>;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  /** The body, without the content coding that it was sent in. */
  readonly bytes: Uint8Array;
}

/**
 * The largest thing that the service answers is a page of 200 deliveries, or a photo of 1.5 MB. It holds for what was sent,
 * and for what that is once decoded.
 */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** @param userAgent what requests say of themselves: what an ordinary client says, where nothing else is wanted */
export function openConnections(
  options: Agent.Options,
  userAgent: string = ordinaryUserAgent(),
): Connections {
  const keepAlive = new Agent({ ...options, connections: 32 });
  const perRequest = new Agent({ ...options, pipelining: 0 });
  const introduced = naming(userAgent);
  return {
    keepAlive: keepAlive.compose(introduced),
    perRequest: perRequest.compose(introduced),
    close: () => Promise.all([keepAlive.destroy(), perRequest.destroy()]),
  };
}

/** Says who sends the request, before everything else, as clients do. */
const naming =
  (userAgent: string): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  ({ headers, ...request }, handler) =>
    dispatch({ ...request, headers: { "user-agent": userAgent, ...headersOf(headers) } }, handler);

/** Headers as {@link sendRequest} gives them. */
function headersOf(headers: Dispatcher.DispatchOptions["headers"]): Record<string, string> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

const RESET = ["ECONNRESET", "EPIPE"];

/** How a request lost its connection; undefined where it failed otherwise, by a time-out for one. */
function lostConnectionKind(error: unknown): "kept" | "new" | undefined {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0 ? "kept" : "new";
  const isReset = error instanceof Error && "code" in error && RESET.includes(String(error.code));
  return isReset ? "kept" : undefined;
}

/** Whether no answer came because the connection was lost. */
export const isConnectionLoss = (error: unknown): boolean => lostConnectionKind(error) !== undefined;

type RequestOptions = Omit<NonNullable<Parameters<typeof request>[1]>, "dispatcher" | "signal">;

export interface SendOptions {
  /** How long all of it may take, however busily the answer goes on, milliseconds. */
  readonly timeoutMs: number;
  /** Gives it up before. */
  readonly signal?: AbortSignal | undefined;
  /** Whether sending it twice does no more than sending it once (RFC 9110, 9.2.2). */
  readonly isRetryable?: boolean;
  /** Called when it is sent a second time: the target may have seen it twice. */
  readonly onRetry?: () => void;
}

/**
 * Sends a request and reads the whole answer, as far as an answer may be long. A connection that was kept open and is closed just then says nothing about
 * the server, which ends an idle one when it likes (RFC 9112, 9.5): the request is sent once more, on a new one. So is a
 * request that may be sent twice, where its connection is lost before any byte of an answer: by a balancer, say.
 */
export async function sendRequest(
  { keepAlive, perRequest }: Connections,
  url: string,
  options: RequestOptions,
  { timeoutMs, signal: givenUp, isRetryable = false, onRetry = () => {} }: SendOptions,
): Promise<RawResponse> {
  const late = AbortSignal.timeout(timeoutMs);
  const signal = givenUp ? AbortSignal.any([late, givenUp]) : late;
  const send = async (dispatcher: Dispatcher) => request(url, { ...options, dispatcher, signal });
  try {
    const answer = await send(keepAlive).catch((error: unknown) => {
      const loss = lostConnectionKind(error);
      if (loss === undefined || (loss === "new" && !isRetryable)) throw error;
      onRetry();
      return send(perRequest);
    });
    const { statusCode: status, headers } = answer;
    const codings = [headers["content-encoding"] ?? ""].flat().join();
    return { status, headers, bytes: decoded(await readBody(answer.body), codings, MAX_RESPONSE_BYTES) };
  } catch (error) {
    if (late.aborted) throw new Error(`its answer didn't end within ${timeoutMs / 1000} s`);
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
