/** What never becomes a request: bytes that are no HTTP, headers without end, clients that are too slow. */
import type { Socket } from "node:net";
import type { ErrorCode } from "../errors.ts";
import type { Parts } from "../parts.ts";
import { countRequest } from "./rate-limits.ts";

// An import would load what the module has of WebSockets and fetch too, which takes a while and is of no use here.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** How Node names what went wrong. */
interface ConnectionFault extends Error {
  code?: string;
}

/**
 * Answers like any other refusal, headers included, and hangs up: where the next request would begin isn't known.
 * @param isAnswering whether an answer is on its way already, into the middle of which another mustn't be written
 */
export function brokenRequestHandler(
  parts: Parts,
  isAnswering: (socket: Socket) => boolean,
): (fault: ConnectionFault, socket: Socket) => void {
  return (fault, socket) => {
    // What still comes after the answer is of no interest.
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

/** A client that is hung up on while it sends may never see the answer, so it has a moment to read it. */
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
