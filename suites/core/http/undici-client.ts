import type { Socket } from "node:net";
import { Agent, buildConnector, request } from "undici";
import { headersIn } from "./header-profiles.ts";
import { type HttpClient, MAX_CONNECTIONS, type ProgramOptions } from "./http-client.ts";

/**
 * The start of an interim response. A 101 starts the same way, but is final: the protocol changes after it.
 */
const BEGINNING = "HTTP/1.1 1";
const SWITCHING = `${BEGINNING}01`;
const END = "\r\n\r\n";
/** A longer interim response is passed on unchanged, so that the HTTP client reports it. */
const MAX_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** Removes the interim responses at the start of a response. */
class InterimResponses {
  #held: Buffer = NOTHING;

  /** @returns the bytes after interim responses; undefined as long as they may be part of an interim response */
  pass(chunk: Buffer): Buffer | undefined {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (;;) {
      const status = this.#held.toString("latin1", 0, SWITCHING.length);
      const isDecided = status.length === SWITCHING.length;
      const mayBeInterim = status.startsWith(BEGINNING) || BEGINNING.startsWith(status);
      if (!mayBeInterim || status === SWITCHING) return this.rest();
      const end = isDecided ? this.#held.indexOf(END) : -1;
      if (end < 0) return this.#held.length > MAX_BYTES ? this.rest() : undefined;
      this.#held = this.#held.subarray(end + END.length);
    }
  }

  /** @returns the held bytes */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    return rest;
  }
}

/**
 * Removes interim responses from connections. A client must accept them at any time (RFC 9110, 15.2), but
 * undici closes the connection on a 100. The start of a response needs no parser, because undici sends no
 * request before the previous response has ended.
 */
function withoutInterimResponses(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...made) => {
      const [, socket] = made;
      // HTTP/2 has its own frames for interim responses, which undici supports.
      if (socket && !("alpnProtocol" in socket && socket.alpnProtocol === "h2"))
        removeInterimResponses(socket);
      callback(...made);
    });
}

function removeInterimResponses(socket: Socket): void {
  const interim = new InterimResponses();
  const push = socket.push.bind(socket);
  let writtenWhenAnswered = 0;
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) {
      const rest = interim.rest();
      if (rest.length > 0) push(rest);
      return push(null);
    }
    const written = socket.bytesWritten;
    if (written === writtenWhenAnswered) return push(chunk, encoding);
    const passed = interim.pass(chunk);
    if (passed === undefined) return true;
    writtenWhenAnswered = written;
    return push(passed);
  };
}

/** An HTTP client based on undici, which Node's fetch uses. */
export function undiciClient({ style, connectMs, answerMs, localAddress }: ProgramOptions): HttpClient {
  const options: Agent.Options = {
    connect: withoutInterimResponses(
      buildConnector({
        timeout: connectMs,
        // The local source addresses are IPv4, so IPv6 addresses of a name can't be used.
        ...(localAddress !== undefined && { autoSelectFamily: false, family: 4 }),
      }),
    ),
    // An option of the pool, which ignores it among the connector's options.
    ...(localAddress !== undefined && { localAddress }),
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  };
  const reused = new Agent({ ...options, connections: MAX_CONNECTIONS });
  const fresh = new Agent({ ...options, pipelining: 0 });
  return {
    async send(url, outgoing) {
      const { method, body, signal } = outgoing;
      const {
        statusCode,
        headers,
        body: answered,
      } = await request(url, {
        method,
        headers: Object.fromEntries(headersIn(style, outgoing.headers)),
        body,
        signal,
        dispatcher: outgoing.fresh ? fresh : reused,
        ...(outgoing.answerMs !== undefined && {
          headersTimeout: outgoing.answerMs,
          bodyTimeout: outgoing.answerMs,
        }),
      });
      return { status: statusCode, headers, body: answered };
    },
    close: () => Promise.all([reused.destroy(), fresh.destroy()]),
  };
}
