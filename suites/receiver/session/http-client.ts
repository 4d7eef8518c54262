import http from "node:http";
import https from "node:https";
import { monotonicNow, pause } from "../../core/clock.ts";
import { textOf } from "../../core/json.ts";
import { type MachineError, machineErrorOf } from "../../core/machine-error.ts";

/** A receiver's response. */
export interface Reply {
  readonly status: number;
  /** Header names are in lower case. The values of a repeated header are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body, to be shown in the report. */
  readonly text: string;
  /** The milliseconds until the response's headers arrived. */
  readonly durationMs: number;
}

/** Why there was no response. "stale": a reused connection was closed, and a new connection failed too. */
type NoReplyReason = "unreachable" | "closed" | "stale" | "silent";

/** There was no response: the receiver refused or closed the connection, or the time limit passed. */
export class NoReply extends Error {
  override readonly name = "NoReply";
  readonly how: NoReplyReason;
  /** The operating system's error code, or an empty text. */
  readonly code: string;

  constructor(how: NoReply["how"], message: string, code = "") {
    super(message);
    this.how = how;
    this.code = code;
  }
}

/** Milliseconds between two chunks, so that they arrive separately. */
const BETWEEN_PIECES_MS = 30;

const MAX_BODY_BYTES = 65_536;
const CLOSED = ["ECONNRESET", "EPIPE", "ECONNABORTED"];

/** Error codes of Node's HTTP parser, with descriptions of the most frequent codes. */
const PARSE_ERRORS: ReadonlyMap<string, string> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    "its response headers are longer than 16 kB, which clients don't accept by default",
  ],
  [
    "HPE_UNEXPECTED_CONTENT_LENGTH",
    "its response has Content-Length twice, or together with Transfer-Encoding (RFC 9112, 6.3)",
  ],
]);

const NO_RESPONSE = "it closed the connection without a response";

const codeOf = (error: Error): string => ("code" in error ? textOf(error.code) : "");

function noReply(error: Error): NoReply | MachineError {
  if (error instanceof NoReply) return error;
  const machine = machineErrorOf(error);
  if (machine) return machine;
  const code = codeOf(error);
  if (CLOSED.includes(code)) return new NoReply("closed", NO_RESPONSE, code);
  if (code.startsWith("HPE_")) {
    return new NoReply("closed", PARSE_ERRORS.get(code) ?? "its response isn't HTTP", code);
  }
  return new NoReply("unreachable", error.message || code || "it can't be reached", code);
}

const joinValues = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

/** Writes a chunk and waits until it is sent. */
const writeChunk = (request: http.ClientRequest, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    request.once("close", resolve);
    request.write(piece, () => resolve());
  });

/** Sends a body in one or more chunks, with one content-length for the whole body. */
async function sendBody(request: http.ClientRequest, pieces: readonly Buffer[]): Promise<void> {
  const earlier = pieces.slice(0, -1);
  if (earlier.length > 0) request.setHeader("content-length", Buffer.concat(pieces).length);
  for (const piece of earlier) {
    await writeChunk(request, piece);
    await pause(BETWEEN_PIECES_MS);
  }
  request.end(pieces.at(-1));
}

/** Sends requests to one URL over reused connections. */
export class HttpClient {
  readonly #url: URL;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#protocol = this.#url.protocol === "https:" ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true, maxSockets: 128 });
  }

  /**
   * Posts a body. If a reused connection turns out to be closed, sends the request once more on a new
   * connection.
   * @param pieces the chunks of the body
   * @param options `fresh` to use a new connection
   * @throws NoReply, or MachineError
   */
  async post(
    headers: Readonly<Record<string, string>>,
    pieces: readonly Buffer[],
    { timeoutMs, fresh = false }: { readonly timeoutMs: number; readonly fresh?: boolean },
  ): Promise<Reply> {
    const first = await this.#once(headers, pieces, timeoutMs, fresh ? false : this.#agent);
    if (first !== "stale connection") return first;
    const second = await this.#once(headers, pieces, timeoutMs, false).catch((error: unknown) => {
      const isUnreachable = error instanceof NoReply && error.how === "unreachable";
      throw isUnreachable ? new NoReply("stale", error.message, error.code) : error;
    });
    if (second === "stale connection") throw new Error("a new connection is marked as reused");
    return second;
  }

  #once(
    headers: Readonly<Record<string, string>>,
    pieces: readonly Buffer[],
    timeoutMs: number,
    agent: http.Agent | false,
  ): Promise<Reply | "stale connection"> {
    const start = monotonicNow();
    let responded = false;
    return new Promise((resolve, reject) => {
      const request = this.#protocol.request(this.#url, { method: "POST", headers: { ...headers }, agent });
      const timer = setTimeout(() => {
        request.destroy(new NoReply("silent", `no answer within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      // Without a listener, Node closes the connection without an error, and the request never ends.
      request.once("upgrade", (_, socket) => {
        socket.destroy();
        reject(new NoReply("closed", "its response switches to another protocol, which wasn't requested"));
      });
      // Covers every end without a response. After a response, this has no effect.
      request.once("close", () => {
        clearTimeout(timer);
        if (!responded) reject(new NoReply("closed", NO_RESPONSE));
      });
      request.on("error", (error) => {
        if (responded) return;
        if (request.reusedSocket && CLOSED.includes(codeOf(error))) resolve("stale connection");
        else reject(noReply(error));
      });
      request.once("response", (response) => {
        responded = true;
        const durationMs = monotonicNow() - start;
        const chunks: Buffer[] = [];
        let size = 0;
        // Resolves even if the body is incomplete, because the status is enough.
        const answered = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: joinValues(response.headers),
            text: Buffer.concat(chunks).toString(),
            durationMs,
          });
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > MAX_BODY_BYTES) response.destroy();
        });
        response.on("error", () => {});
        response.once("close", answered);
      });
      void sendBody(request, pieces);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
