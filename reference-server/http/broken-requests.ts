/** Responds to invalid HTTP, headers that are too long, and clients that are too slow. */
import type { Socket } from "node:net";
import type { Dependencies } from "../dependencies.ts";
import type { ErrorCode } from "../errors.ts";
import { countRequest } from "./rate-limits.ts";

// An import would load the whole module, including WebSockets and fetch, and slow down the start.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** An error of a connection, with Node's code for the error. */
interface ConnectionFault extends Error {
  code?: string;
}

/**
 * Sends the service's error body and headers, and closes the connection, because the start of the next
 * request is unknown. @param isAnswering true if a response is in progress, which must not be interrupted
 */
export function brokenRequestHandler(
  deps: Dependencies,
  isAnswering: (socket: Socket) => boolean,
): (fault: ConnectionFault, socket: Socket) => void {
  return (fault, socket) => {
    // Ignores input after the response.
    if (socket.writableEnded) return;
    if (fault.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    refusal(deps, codeOf(fault), socket.remoteAddress ?? "").then(
      (text) => hangUpAfter(deps, socket, text),
      (error: unknown) => {
        deps.reportFault(error);
        socket.destroy();
      },
    );
  };
}

/** Closes after a short time: a client that is still sending might otherwise miss the response. */
function hangUpAfter(deps: Dependencies, socket: Socket, text: string): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), deps.limits.connections.lingerMs).unref();
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

async function refusal(deps: Dependencies, code: ErrorCode, address: string): Promise<string> {
  const { status, message } = deps.errors[code];
  const details = code === "DOGRULAMA" ? { field: "request", reason: "istek okunamadı" } : undefined;
  const body = JSON.stringify(deps.views.failure({ code, message, details }));
  const rateLimit = await countRequest(deps, {
    operationId: undefined,
    identity: { refusal: "KIMLIK_YOK" },
    address,
    realNow: deps.clock.now(),
  });
  const headers = {
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    ...deps.limitHeaders(rateLimit, status),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}
