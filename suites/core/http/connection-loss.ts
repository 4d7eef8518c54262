import { errors } from "undici";
import { textOf } from "../json.ts";

/** A connection that ended before a response. */
export class ConnectionLoss extends Error {
  /** "kept" for a reused connection, which a server may close while it is idle. */
  readonly kind: "kept" | "new";

  constructor(kind: "kept" | "new") {
    super("other side closed");
    this.kind = kind;
  }

  /** undici's code, so that both clients report losses in the same words. */
  readonly code = "UND_ERR_SOCKET";
}

const RESET = ["ECONNRESET", "EPIPE"];

export const isReset = (error: unknown): boolean =>
  error instanceof Error && "code" in error && RESET.includes(textOf(error.code));

/** True if the connection was refused. The target didn't receive the request. */
export const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

/** The kind of the broken connection. Undefined for other errors, such as a timeout. */
export function lostConnectionKind(error: unknown): "kept" | "new" | undefined {
  if (error instanceof ConnectionLoss) return error.kind;
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0 ? "kept" : "new";
  return isReset(error) ? "kept" : undefined;
}

/** A response that began, but didn't end in time. */
export class LateAnswer extends Error {}

/** True if an open connection delivered nothing within the time limit. */
export const isSilence = (error: unknown): boolean =>
  error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;

/** Describes a response of which nothing arrived in time. */
export const silenceText = (answerMs: number): string =>
  `no data arrived within the response timeout of ${answerMs / 1000} s`;

/** True if the time limit passed before the response ended. */
export const isLateAnswer = (error: unknown): boolean =>
  error instanceof LateAnswer || isSilence(error) || error instanceof errors.ConnectTimeoutError;

/** True if the connection broke before a response. */
export const isConnectionLoss = (error: unknown): boolean => lostConnectionKind(error) !== undefined;
