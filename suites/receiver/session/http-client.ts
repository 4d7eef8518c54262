import http from "node:http";
import https from "node:https";
import { monotonicNow, pause } from "../../core/clock.ts";
import { textOf } from "../../core/json.ts";
import { type MachineError, machineErrorOf } from "../../core/machine-error.ts";

/** The receiver's answer. */
export interface Reply {
  readonly status: number;
  /** Names in lower case; several values are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's beginning: nothing is read from it. */
  readonly text: string;
  /** Milliseconds until the headers had come. */
  readonly durationMs: number;
}

/** "stale": a connection that was kept open was lost, and no new one could be made. */
type HowUnanswered = "unreachable" | "closed" | "stale" | "silent";

/** No answer came: the connection was refused, it was closed before an answer, or the time was over. */
export class NoReply extends Error {
  override readonly name = "NoReply";
  readonly how: HowUnanswered;
  /** The system's code, if there is one. */
  readonly code: string;

  constructor(how: NoReply["how"], message: string, code = "") {
    super(message);
    this.how = how;
    this.code = code;
  }
}

/** Between two pieces of a body, so that they arrive apart. */
const BETWEEN_PIECES_MS = 30;

const MAX_BODY_BYTES = 65_536;
/** Codes of an open connection that was closed. Any other code means that none was established. */
const CLOSED = ["ECONNRESET", "EPIPE", "ECONNABORTED"];

/** Refusals of Node's parser by code, with names for the commonest. */
const NOT_READ: ReadonlyMap<string, string> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    "the headers of its answer are longer than 16 kB, which no client reads by default",
  ],
  [
    "HPE_UNEXPECTED_CONTENT_LENGTH",
    "its answer has Content-Length twice, or beside Transfer-Encoding (RFC 9112, 6.3)",
  ],
]);

const codeOf = (error: Error): string => ("code" in error ? textOf(error.code) : "");

function noReply(error: Error): NoReply | MachineError {
  if (error instanceof NoReply) return error;
  const machine = machineErrorOf(error);
  if (machine) return machine;
  const code = codeOf(error);
  if (CLOSED.includes(code)) return new NoReply("closed", "it closed the connection without an answer", code);
  if (code.startsWith("HPE_")) {
    return new NoReply("closed", NOT_READ.get(code) ?? "what it answered isn't HTTP", code);
  }
  return new NoReply("unreachable", error.message || code || "it can't be reached", code);
}

const joined = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

/** Writes a piece and waits until it is sent, also if the connection has to be established first. */
const written = (request: http.ClientRequest, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    request.once("close", resolve);
    request.write(piece, () => resolve());
  });

/** Sends a body. The content-length of a body in several pieces is sent first, as for one piece. */
async function sendBody(request: http.ClientRequest, pieces: readonly Buffer[]): Promise<void> {
  const earlier = pieces.slice(0, -1);
  if (earlier.length > 0) request.setHeader("content-length", Buffer.concat(pieces).length);
  for (const piece of earlier) {
    await written(request, piece);
    await pause(BETWEEN_PIECES_MS);
  }
  request.end(pieces.at(-1));
}

/** Sends requests to one address over connections that are kept open. */
export class HttpClient {
  readonly #url: URL;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#protocol = this.#url.protocol === "https:" ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true, maxSockets: 64 });
  }

  /**
   * Posts a body. A connection that was kept open and is closed just then says nothing about the receiver: the request
   * is sent once more, on a new one.
   * @param pieces in which the body is sent, one after the other
   * @param options `fresh` for a connection of its own
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
    if (second === "stale connection") throw new Error("a new connection counts as one that was kept open");
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
      request.once("close", () => clearTimeout(timer));
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
        // The status is the answer. The received part of a body that never ends or breaks off is kept.
        const answered = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: joined(response.headers),
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
