/** Handles input that never becomes a request: invalid HTTP, endless headers, clients that are too slow. */
import type { Socket } from "node:net";
import type { ErrorCode } from "../errors.ts";
import type { Parts } from "../parts.ts";
import { countRequest } from "./rate-limits.ts";

// An import would load the whole module, including WebSockets and fetch, and slow down the start.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** Node's codes for these errors. */
interface ConnectionFault extends Error {
  code?: string;
}

/**
 * Responds like any other refusal, with the same headers, and closes the connection, because the start of the
 * next request is unknown.
 * @param isAnswering true if a response is in progress, which must not be interrupted
 */
export function brokenRequestHandler(
  parts: Parts,
  isAnswering: (socket: Socket) => boolean,
): (fault: ConnectionFault, socket: Socket) => void {
  return (fault, socket) => {
    // Ignore input after the response.
    if (socket.writableEnded) return;
    if (fault.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    refusal(parts, codeOf(fault), socket.remoteAddress ?? "").then(
      (text) => hangUpAfter(parts, socket, text),
      (error: unknown) => {
        parts.reportFault(error);
        socket.destroy();
      },
    );
  };
}

/** Closes after a short time: a client that is still sending might otherwise miss the response. */
function hangUpAfter(parts: Parts, socket: Socket, text: string): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), parts.limits.connections.lingerMs).unref();
}

function codeOf({ code }: ConnectionFault): ErrorCode {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "BASLIK_COK_BUYUK";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "ISTEK_ZAMAN_ASIMI";
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "GOVDE_COK_BUYUK";
    default:
      return "DOGRULAMA";
  }
}

async function refusal(parts: Parts, code: ErrorCode, address: string): Promise<string> {
  const { status, message } = parts.errors[code];
  const details = code === "DOGRULAMA" ? { field: "request", reason: "istek okunamadı" } : undefined;
  const body = JSON.stringify(parts.views.failure({ code, message, details }));
  const rateLimit = await countRequest(parts, {
    operationId: undefined,
    identity: { refusal: "KIMLIK_YOK" },
    address,
    realNow: parts.clock.now(),
  });
  const headers = {
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    ...parts.limitHeaders(rateLimit, status),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}
