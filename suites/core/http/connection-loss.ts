import { errors } from "undici";

/** A connection that ended before an answer came over it. */
export class ConnectionLoss extends Error {
  /** Whether it had been used before: a server ends an idle one when it likes. */
  readonly kind: "kept" | "new";

  constructor(kind: "kept" | "new") {
    super("other side closed");
    this.kind = kind;
  }

  /** As undici has it, so that both programs' losses are told in the same words. */
  readonly code = "UND_ERR_SOCKET";
}

const RESET = ["ECONNRESET", "EPIPE"];

export const isReset = (error: unknown): boolean =>
  error instanceof Error && "code" in error && RESET.includes(String(error.code));

/** Whether nothing took a connection: what was to be sent over it did not come to anybody. */
export const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

/** How a request lost its connection; undefined where it failed otherwise, by a time-out for one. */
export function lostConnectionKind(error: unknown): "kept" | "new" | undefined {
  if (error instanceof ConnectionLoss) return error.kind;
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0 ? "kept" : "new";
  return isReset(error) ? "kept" : undefined;
}

/** An answer that began, and didn't end in time. */
export class LateAnswer extends Error {}

/** Whether a connection that was there brought nothing for as long as an answer, or the next part of one, may take. */
export const isSilence = (error: unknown): boolean =>
  error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;

/** What is said of it. */
export const nothingWithin = (answerMs: number): string =>
  `nothing came within the ${answerMs / 1000} s that an answer may take`;

/** Whether no answer came because time was up: it may be on its way. */
export const isLateAnswer = (error: unknown): boolean =>
  error instanceof LateAnswer || isSilence(error) || error instanceof errors.ConnectTimeoutError;

/** Whether no answer came because the connection was lost. */
export const isConnectionLoss = (error: unknown): boolean => lostConnectionKind(error) !== undefined;
